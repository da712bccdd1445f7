import { isLive } from './server/live.js'
import { RatePicture } from './toolbar/rate-picture.js'
import { Toolbar } from './toolbar/toolbar.js'

export function Header() {
  return (
    <header class="header">
      <div class="brand">
        <h1>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4 20V9l8-5 8 5v11" />
            <path d="M9 20v-6h6v6" />
          </svg>
          Sandbox gateway
        </h1>
        <LiveState />
      </div>
      <Toolbar />
      <RatePicture />
    </header>
  )
}

function LiveState() {
  return (
    <p class="live" data-live={isLive.value}>
      {isLive.value ? 'Live' : 'Not connected; trying again'}
    </p>
  )
}
