import * as z from 'zod/mini'
import { profileSchema } from './schema.js'

/** The format of a profile as a JSON schema, as the package has it for editors: scripts/json-schemas.mjs. */
export const profileJsonSchema = {
  $id: 'urn:merchant-gateway:gateway-profile:1',
  title: 'Profile of a payment gateway',
  description:
    'What a gateway was seen to do where the specification leaves it open: names, types and statuses.',
  // Fields that a later version adds are let through.
  ...z.toJSONSchema(profileSchema, { io: 'input' }),
}
