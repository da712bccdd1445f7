import { existsSync, rmSync } from 'node:fs'
import type { GatewayProfile } from '../../../../src/client/profile/gateway-profile.js'
import { differencesBetween } from '../../../../src/profile/index.js'
import { confirm } from '../confirm.js'
import { checksOf, exitCodeOfFindings, type Finding, linesOf } from '../doctor/finding.js'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import { fileProblem, writeInOnePiece } from '../files.js'
import type { Io } from '../io.js'
import { profileIn } from '../profile-in.js'
import { countOf, jsonLine, printable } from '../text.js'
import { type Pace, Stop, usualPace } from './asker.js'
import { type LearnOptions, learn } from './learn.js'
import { ProfileDraft } from './profile-draft.js'
import { type LearnCommandOptions, planOf, settingsOf, usualFile } from './settings.js'

/** The whole command: says what it will do, asks for a yes, asks the gateway, writes and compares. */
export async function runLearn(options: LearnCommandOptions, io: Io, pace: Pace = usualPace): Promise<void> {
  const { check, json, yes = false, force = false } = options
  const before = check === undefined ? undefined : profileIn(check, '--check')
  const out = options.out ?? (check === undefined ? usualFile : undefined)
  const settings = await settingsOf(options, io.env, pace)
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
  report(await askAll(settings, io, out, json !== true), before, options, io)
}

/** How it went, and what is known now. */
interface Learnt {
  readonly profile: GatewayProfile
  readonly findings: readonly Finding[]
  readonly stop: Stop | undefined
  /** Where the profile is; undefined where none was written. */
  readonly file: string | undefined
}

/** The profile is written after each step: into its file, or beside one that is there, until all was asked. */
async function askAll(
  settings: LearnOptions,
  io: Io,
  out: string | undefined,
  isPrinted: boolean,
): Promise<Learnt> {
  const draft = new ProfileDraft()
  const interruption = new AbortController()
  void io.untilInterrupted().then((code) => interruption.abort(new Stop('it was interrupted', code)))
  const findings: Finding[] = []
  const growing = out !== undefined && existsSync(out) ? `${out}.part` : out
  const keep = (profile: GatewayProfile) => {
    if (growing === undefined || draft.isEmpty) return undefined
    writeProfile(growing, profile)
    return growing
  }
  try {
    for await (const finding of learn(settings, draft, interruption.signal)) {
      findings.push(finding)
      if (isPrinted) for (const line of linesOf(finding, io.paint, io.columns)) io.out(line)
      keep(draft.profile('the run ended before it was asked'))
    }
  } catch (stop) {
    if (!(stop instanceof Stop)) throw stop
    const profile = draft.profile(`the run ended before it was seen: ${stop.message}`)
    return { profile, findings, stop, file: keep(profile) }
  }
  const profile = draft.profile('it was not asked')
  if (out !== undefined) writeProfile(out, profile)
  if (growing !== undefined && growing !== out) rmSync(growing, { force: true })
  return { profile, findings, stop: undefined, file: out }
}

/** @throws {CommandFailed} naming the file. */
export function writeProfile(path: string, profile: GatewayProfile): void {
  try {
    writeInOnePiece(path, [`${JSON.stringify(profile, null, 2)}\n`])
  } catch (error) {
    throw new CommandFailed(`${path} ${fileProblem(error)}, so the profile is not kept.`)
  }
}

function report(
  { profile, findings, stop, file }: Learnt,
  before: GatewayProfile | undefined,
  { json, check }: LearnCommandOptions,
  io: Io,
): void {
  const changes = before === undefined ? undefined : differencesBetween(before, profile)
  const hasChanged = changes !== undefined && changes.length > 0
  // As the doctor's: nobody there is 3, anything else that is wrong is 1. A change is what --check looks for.
  const exitCode = stop?.exitCode ?? (hasChanged ? exitCodes.refused : exitCodeOfFindings(findings))
  io.finish(exitCode)
  if (json === true) {
    const { message: ended, fix } = stop ?? {}
    io.out(
      jsonLine({
        ok: exitCode === exitCodes.ok,
        ended,
        fix,
        file,
        changes,
        steps: checksOf(findings),
        profile,
      }),
    )
    return
  }
  for (const change of changes ?? []) io.out(printable(`changed  ${change}`))
  if (stop !== undefined) {
    const kept = file === undefined ? 'nothing was learnt' : `what was learnt until then is kept in ${file}`
    io.note(`${io.paint('red', 'error:')} ${printable(stop.message)}; ${kept}.`)
    if (stop.fix !== undefined) io.note(`-> ${stop.fix}`)
    return
  }
  if (changes !== undefined) {
    io.out(
      hasChanged
        ? `${countOf(changes.length, 'change')} since ${check}.`
        : `The gateway is as ${check} says.`,
    )
  }
  if (file === undefined) return
  const unseen = Object.keys(profile.notSeen ?? {}).length
  io.out(`${file} is written; ${countOf(unseen, 'thing')} in it could not be seen, and "notSeen" says why.`)
}
