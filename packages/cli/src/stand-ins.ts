/** In place of all settings, for a client that is asked for what needs no gateway. */
export const standIns = {
  baseUrl: 'https://gateway.invalid',
  merchantCode: 'none',
  signer: { sign: async () => new Uint8Array() },
  timestampUnit: 'seconds',
} as const
