/**
 * A signer that signs what a policy allows, so that a process without the key can't pay out more than that.
 *
 * @module merchant-gateway-signer
 */

export { type CreateSignerOptions, createSigner, type PolicySigner } from './create-signer.js'
export { type PayoutLimits, readPolicy, type SignerPolicy } from './policy.js'
export { type PolicySignerOptions, policySigner } from './policy-signer.js'
export { SignerRefusal, type SignerRule } from './refusal.js'
export { type ListenOptions, listen, type SignerServer } from './server.js'
export { type LogFinding, verifyLog } from './verify-log.js'
