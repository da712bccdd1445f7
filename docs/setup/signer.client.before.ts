import { createSandbox } from 'merchant-gateway-sandbox'
import { mkdtempSync, rmSync } from 'node:fs'
import { createSigner, listen } from 'merchant-gateway-signer'
const sandbox = createSandbox()
const { privateKey, ...account } = sandbox.clientOptions()
const folder = mkdtempSync('/tmp/signer-docs-')
const socket = `${folder}/signer.sock`
const made = await createSigner(
  {
    policyVersion: 1,
    merchantCode: account.merchantCode,
    payins: true,
    payouts: { EUR: { mostInOne: '500', mostInHour: '1000', mostInDay: '1000', countInHour: 20 } },
  },
  { key: privateKey, log: `${folder}/signer.log` },
)
const server = await listen(made, { socket })
