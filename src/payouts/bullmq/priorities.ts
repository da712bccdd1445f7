/**
 * BullMQ serves the smallest number first, so every job has one: without, it would go before all of these on both
 * stores. What was woken is looked at within a second, and what a killed worker had begun is not put behind the
 * hundred thousand that wait. Polls go last: each finds less than a create does, and would take its permit.
 */
export const priorities = { woken: 1, begun: 2, create: 10, poll: 20 } as const
