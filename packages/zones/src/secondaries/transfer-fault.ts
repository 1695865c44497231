/** Fault of a primary: a sentence for the tenant, without a full stop. */
export class TransferFault extends Error {
  override readonly name = 'TransferFault';
}
