import { existsSync } from 'node:fs'
import type { GatewayProfile } from '../../client/profile/gateway-profile.js'
import { differencesBetween } from '../../profile/differences-between.js'
import { confirm } from '../confirm.js'
import { exitCodeOfFindings, type Finding, linesOf } from '../doctor/finding.js'
import { CommandFailed, type ExitCode, exitCodes } from '../exit-codes.js'
import type { Io } from '../io.js'
import { profileIn } from '../profile-in.js'
import { countOf, jsonLine, printable } from '../text.js'
import { type Pace, usualPace } from './asker.js'
import { type LearnOptions, learn } from './learn.js'
import { planOf } from './plan.js'
import { ProfileDraft } from './profile-draft.js'
import { ProfileFile } from './profile-file.js'
import { type LearnCommandOptions, settingsOf } from './settings.js'
import { Stop } from './stop.js'

/** What is written when nobody says where. */
export const usualFile = 'gateway-profile.json'

/** The whole command: says what it will do, asks for a yes, asks the gateway, writes and compares. */
export async function runLearn(options: LearnCommandOptions, io: Io, pace: Pace = usualPace): Promise<void> {
  const { check, json, yes = false, force = false } = options
  const before = check === undefined ? undefined : profileIn(check, '--check')
  const out = options.out ?? (check === undefined ? usualFile : undefined)
  const settings = await settingsOf(options, io, pace)
  const replaces = out !== undefined && existsSync(out)
  if (replaces && yes && !force) {
    throw new CommandFailed(
      `${out} is there already, so nothing was asked; give --force to replace it, or --check ${out} to compare with it.`,
    )
  }
  const writes =
    out === undefined
      ? 'nothing is written'
      : `${out} is ${replaces ? 'REPLACED' : 'written'}: names, types and statuses, and no value`
  if (json !== true) for (const line of planOf(settings, writes)) io.note(line)
  await confirm(
    {
      question: 'Is it a test gateway, and may it be asked?',
      nobody:
        'nobody can be asked here whether it is a test gateway, so nothing was sent; give --yes if it is one.',
      no: 'nothing was sent.',
    },
    yes,
    io,
  )
  const file = out === undefined ? undefined : new ProfileFile(out)
  const learnt = await askAll(settings, io, file, json !== true)
  report(learnt, before, options, io)
}

/** How it went, and what is known now. */
interface Learnt {
  readonly profile: GatewayProfile
  readonly findings: readonly Finding[]
  readonly stop?: Stop
  /** Where the profile is; absent where none was written. */
  readonly file?: string
}

async function askAll(
  settings: LearnOptions,
  io: Io,
  file: ProfileFile | undefined,
  isPrinted: boolean,
): Promise<Learnt> {
  const draft = new ProfileDraft()
  const interruption = new AbortController()
  void io.untilInterrupted().then((code) => interruption.abort(new Stop('it was interrupted', code)))
  const findings: Finding[] = []
  let written: string | undefined
  const keep = (why: string) => {
    if (!draft.isEmpty) written = file?.keep(draft.profile(why))
  }
  try {
    for await (const finding of learn(settings, draft, interruption.signal)) {
      findings.push(finding)
      if (isPrinted) for (const line of linesOf(finding, io.paint, io.columns)) io.out(line)
      keep('the run ended before it was asked')
    }
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    const why = `the run ended before it was seen: ${error.message}`
    keep(why)
    return {
      profile: draft.profile(why),
      findings,
      stop: error,
      ...(written === undefined ? {} : { file: written }),
    }
  }
  const profile = draft.profile('it was not asked')
  const finished = file?.finish(profile)
  return { profile, findings, ...(finished === undefined ? {} : { file: finished }) }
}

function report(
  { profile, findings, stop, file }: Learnt,
  before: GatewayProfile | undefined,
  { json, check }: LearnCommandOptions,
  io: Io,
): void {
  const changes = before === undefined ? undefined : differencesBetween(before, profile)
  const unseen = Object.keys(profile.notSeen ?? {}).length
  const exitCode = exitCodeOf(stop, findings, changes)
  if (json === true) {
    const steps = findings.map(({ check, verdict, message, fix }) => ({ check, verdict, message, fix }))
    const { message: ended, fix } = stop ?? {}
    io.out(jsonLine({ ok: exitCode === exitCodes.ok, ended, fix, file, changes, steps, profile }))
    io.finish(exitCode)
    return
  }
  for (const change of changes ?? []) io.out(printable(`changed  ${change}`))
  if (stop !== undefined) {
    const kept = file === undefined ? 'nothing was learnt' : `what was learnt until then is kept in ${file}`
    io.note(`${io.paint('red', 'error:')} ${printable(stop.message)}; ${kept}.`)
    if (stop.fix !== undefined) io.note(`-> ${stop.fix}`)
  } else if (changes !== undefined) {
    io.out(
      changes.length === 0
        ? `The gateway is as ${check} says.`
        : `${countOf(changes.length, 'change')} since ${check}.`,
    )
  }
  if (stop === undefined && file !== undefined) {
    io.out(`${file} is written; ${countOf(unseen, 'thing')} in it could not be seen, and "notSeen" says why.`)
  }
  io.finish(exitCode)
}

/** As the doctor's: nobody there is 3, anything else that is wrong is 1. A change is what --check looks for. */
function exitCodeOf(
  stop: Stop | undefined,
  findings: readonly Finding[],
  changes: readonly string[] | undefined,
): ExitCode {
  if (stop !== undefined) return stop.exitCode
  if (changes !== undefined && changes.length > 0) return exitCodes.refused
  return exitCodeOfFindings(findings)
}
