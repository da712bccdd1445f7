import { describe } from 'vitest'
import { describeWith } from '../../support/engines.js'
import { testKills } from './kills.js'

describe('the demo shop over a file', () => testKills('file'))
describeWith('postgres', 'the demo shop over PostgreSQL', () => testKills('postgres'))
