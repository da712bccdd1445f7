import type { ApplicationOrder, Exported, PlayOrder, Rehearsals } from '../../control/messages/rehearse.js'
import { ask } from './server.js'

export const readRehearsals = () => ask<Rehearsals>('rehearsals')
export const playCase = (order: PlayOrder) => ask<Rehearsals>('rehearsals', 'POST', order)
export const stopPlaying = () => ask<Rehearsals>('rehearsals', 'DELETE')
export const nameApplication = (order: ApplicationOrder) =>
  ask<Rehearsals>('rehearsals/application', 'POST', order)
export const exportRehearsal = (key: number) => ask<Exported>('rehearsals/export', 'POST', { key })
