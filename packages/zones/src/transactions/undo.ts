/** Thrown at the end of a transaction that was only tried: all of it is undone, and its result is kept. */
export class Undo<T> extends Error {
  override readonly name = 'Undo';
  readonly result: T;

  constructor(result: T) {
    super('tried only');
    this.result = result;
  }
}
