import * as z from 'zod/mini'
import { policySchema } from './policy.js'

/** The format of a policy as a JSON schema, as the package has it for editors: scripts/json-schemas.mjs. */
export const policyJsonSchema = {
  $id: 'urn:merchant-gateway:signer-policy:1',
  title: 'Policy of a signer',
  description: 'Which token requests merchant-gateway signer signs.',
  ...z.toJSONSchema(policySchema, { io: 'input' }),
}
