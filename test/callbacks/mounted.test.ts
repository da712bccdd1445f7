import { describe } from 'vitest'
import { testMounted } from './mounted.js'
import { mountNode } from './servers.js'

describe('node:http', () => testMounted(mountNode))
