import { describe } from 'vitest'
import { describeWith } from '../../support/engines.js'
import { testKills } from './kills.js'
import { hasSqlite } from './shop.js'

describe('the demo shop over a file', () => testKills('file'))
describeWith('postgres', 'the demo shop over PostgreSQL', () => testKills('postgres'))
// Node 20 has no SQLite: `npm run test:package` does this with one that has.
describe.skipIf(!hasSqlite)('the demo shop over SQLite', () => testKills('sqlite'))
