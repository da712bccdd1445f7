import { describe } from 'vitest'
import { testKills } from '../examples/demo-shop/kills.js'
import { nodes } from './setup/tools.js'

const node = nodes.find(({ name }) => name === 'Node 22')?.command[0]

describe('the demo shop over SQLite, in Node 22', () => testKills('sqlite', node))
