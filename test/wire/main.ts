export { campaign } from './campaign.js'
export { writeCertificates } from './certificates.js'
