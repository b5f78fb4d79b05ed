/** What an electronic invoice says in its fields: an XRechnung, or the XML that a ZUGFeRD or Factur-X file carries. */
export interface Invoice {
  readonly number: string;
  readonly seller: string;
  readonly vatId: string;
  /** `2026-05-31`; null where the invoice has no day that exists. */
  readonly date: string | null;
  /** With taxes, in its own currency; null where it is no number. */
  readonly total: string | null;
  readonly currency: string;
  readonly iban: string;
}
