/**
 * Bytes in one piece of memory that doubles. A list of chunks would keep for each of them whatever it was
 * cut from: 4 MiB that come byte by byte would take 650.
 */
export class ByteBuffer {
  #bytes: Uint8Array = none
  #length = 0

  get length(): number {
    return this.#length
  }

  add(chunk: Uint8Array): void {
    const needed = this.#length + chunk.length
    if (this.#length === 0) {
      // Mostly the only one: taken as it is, and never written to, for it has no room.
      this.#bytes = chunk
    } else {
      if (needed > this.#bytes.length) this.#grow(needed)
      this.#bytes.set(chunk, this.#length)
    }
    this.#length = needed
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #grow(needed: number): void {
    const larger = new Uint8Array(2 * needed)
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

const none = new Uint8Array(0)
