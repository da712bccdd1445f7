import { instrumentGateway } from 'merchant-gateway/opentelemetry'
import { takePayin } from './payin.js'

/** The fourth entry, for which the OpenTelemetry API has to be installed. */
export async function takeObservedPayin(idPayin: string) {
  instrumentGateway()
  return await takePayin(idPayin)
}
