// @ts-check
// Chooses where the orders are kept.

/**
 * PostgreSQL where DATABASE_URL names one; else a file of lines.
 *
 * @param {{ databaseUrl?: string | undefined, table?: string, folder: string }} place
 * @returns {Promise<import('./storage.mjs').Storage>}
 */
export async function openStorage({ databaseUrl, table = 'shop_orders', folder }) {
  if (databaseUrl !== undefined) return (await import('./postgres.mjs')).postgresStorage(databaseUrl, table)
  return (await import('./file.mjs')).fileStorage(folder)
}
