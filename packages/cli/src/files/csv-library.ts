/** A file of its own in the package, where it is once for all that read payouts from CSV. */
export { CsvError, parse } from 'csv-parse/sync'
