/** What `merchant-gateway/sandbox` says since the sandbox is a package of its own, whatever is imported from it. */
export const createSandbox: never = moved()

function moved(): never {
  throw new Error(
    'merchant-gateway/sandbox is a package of its own: "npm install -D merchant-gateway-sandbox", and import from "merchant-gateway-sandbox" in its place.',
  )
}
