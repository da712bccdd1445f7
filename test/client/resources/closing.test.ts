import { describe, expect, it } from 'vitest'
import { mockGateway } from '../../support/gateway.js'

const gateway = mockGateway()

describe('a client that is closed', () => {
  it('lets what is on the wire come to its end', async () => {
    const client = gateway.client()
    gateway.answer(() => Response.json({ process: { status: 'PENDING' } }))
    await client.payins.retrieve('a')
    let answerIt = (): void => undefined
    const held = new Promise<void>((resolve) => {
      answerIt = resolve
    })
    const arrived = new Promise<void>((resolve) => {
      gateway.answer(async () => {
        resolve()
        await held
        return Response.json({ process: { status: 'SUCCESS' } })
      })
    })
    const call = client.payins.retrieve('a')
    await arrived
    const closed = client.close()
    answerIt()
    expect(await call).toEqual({ process: { status: 'SUCCESS' } })
    await closed
  })
})
