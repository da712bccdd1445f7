/**
 * The books, closed without a list from the gateway.
 *
 * @module merchant-gateway/books
 */

export { closeBooks } from './close-books.js'
export { readOpening } from './read-entry.js'
export type {
  BalanceCounts,
  BooksChange,
  BooksClient,
  BooksEntry,
  BooksMoney,
  BooksMove,
  BooksOpening,
  BooksProgress,
  BooksReading,
  BooksResult,
  BooksStillMoving,
  CloseBooksOptions,
  ClosedBooks,
  CurrencyBooks,
  Many,
  OpenPayment,
  OwnPayment,
} from './types.js'
