import { render } from 'preact'
import { App } from './app.js'
import { follow } from './server/live.js'
import { followTitle } from './title.js'

const root = document.getElementById('page')
if (root !== null) {
  render(<App />, root)
  follow()
  followTitle()
}
