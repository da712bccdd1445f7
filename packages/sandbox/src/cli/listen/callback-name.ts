const signed = /^[12]\.[\w-]{8}\.(payin|payout)\.([\w-]{2,})\.[\w-]{43}$/

export function callbackName({ pathname }: URL): string {
  const [, kind, id = ''] = signed.exec(pathname.slice(pathname.lastIndexOf('/') + 1)) ?? []
  if (kind !== undefined) return `${kind} ${Buffer.from(id, 'base64url').toString()}`
  return pathname.replace(/[\w-]{40,}/g, '…')
}
