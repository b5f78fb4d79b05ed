import type { Invoice } from '../part/invoice.ts';

type Field = 'number' | 'seller' | 'tradeName' | 'vatId' | 'date' | 'total' | 'currency' | 'iban';

/** Paths of the two syntaxes of EN 16931, and of ZUGFeRD 1; where a path has several values, the first counts. */
const ubl: Readonly<Record<string, Field>> = {
  ID: 'number',
  IssueDate: 'date',
  DocumentCurrencyCode: 'currency',
  'AccountingSupplierParty/Party/PartyLegalEntity/RegistrationName': 'seller',
  'AccountingSupplierParty/Party/PartyName/Name': 'tradeName',
  'AccountingSupplierParty/Party/PartyTaxScheme/CompanyID': 'vatId',
  'LegalMonetaryTotal/TaxInclusiveAmount': 'total',
  'PaymentMeans/PayeeFinancialAccount/ID': 'iban',
};
const trade = 'SupplyChainTradeTransaction/ApplicableHeaderTrade';
const crossIndustry: Readonly<Record<string, Field>> = {
  'ExchangedDocument/ID': 'number',
  'ExchangedDocument/IssueDateTime/DateTimeString': 'date',
  [`${trade}Agreement/SellerTradeParty/Name`]: 'seller',
  [`${trade}Agreement/SellerTradeParty/SpecifiedTaxRegistration/ID`]: 'vatId',
  [`${trade}Settlement/InvoiceCurrencyCode`]: 'currency',
  [`${trade}Settlement/SpecifiedTradeSettlementHeaderMonetarySummation/GrandTotalAmount`]: 'total',
  [`${trade}Settlement/SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount/IBANID`]: 'iban',
};
const first = 'SpecifiedSupplyChainTradeTransaction/ApplicableSupplyChainTrade';
const zugferd1: Readonly<Record<string, Field>> = {
  'HeaderExchangedDocument/ID': 'number',
  'HeaderExchangedDocument/IssueDateTime/DateTimeString': 'date',
  [`${first}Agreement/SellerTradeParty/Name`]: 'seller',
  [`${first}Agreement/SellerTradeParty/SpecifiedTaxRegistration/ID`]: 'vatId',
  [`${first}Settlement/InvoiceCurrencyCode`]: 'currency',
  [`${first}Settlement/SpecifiedTradeSettlementMonetarySummation/GrandTotalAmount`]: 'total',
  [`${first}Settlement/SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount/IBANID`]: 'iban',
};
const roots: ReadonlyMap<string, Readonly<Record<string, Field>>> = new Map([
  ['Invoice', ubl],
  ['CreditNote', ubl],
  ['CrossIndustryInvoice', crossIndustry],
  ['CrossIndustryDocument', zugferd1],
]);

/** Longer values are no invoice's: they are cut before anything is kept of them. */
const LONGEST = 200;

/** Days are written as `2026-05-31` or `20260531`. */
function dayOf(text: string): string | null {
  const parts = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text);
  if (!parts) return null;
  const day = `${parts[1]}-${parts[2]}-${parts[3]}`;
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day) ? day : null;
}

function amountOf(text: string): string | null {
  return /^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) ? text : null;
}

/** Follows the walk through an XML document and collects what an invoice would say in it. */
export function createInvoiceReading() {
  const way: string[] = [];
  const values = new Map<Field, string>();
  let known: Readonly<Record<string, Field>> | undefined;
  let isTaxNumber = false;
  let piece = '';
  return {
    open(name: string, attributes: Readonly<Record<string, string>>): void {
      way.push(name);
      if (way.length === 1) known = roots.get(name);
      isTaxNumber = attributes['schemeID'] === 'FC';
      piece = '';
    },
    text(more: string): void {
      if (known && piece.length < LONGEST) piece += more;
    },
    close(): void {
      const field = known?.[way.slice(1).join('/')];
      const value = piece.trim().slice(0, LONGEST);
      // The tax number of the local office is no VAT number.
      if (field && value !== '' && !values.has(field) && !(field === 'vatId' && isTaxNumber)) values.set(field, value);
      way.pop();
      piece = '';
    },
    /** Undefined for any other XML, and for one that only begins like an invoice. */
    found(): Invoice | undefined {
      const text = (field: Field): string => values.get(field) ?? '';
      const [date, total] = [dayOf(text('date')), amountOf(text('total'))];
      if (text('number') === '' || (date === null && total === null)) return undefined;
      const compact = (field: Field): string => text(field).replaceAll(/\s/gu, '').toUpperCase();
      const seller = text('seller') || text('tradeName');
      const codes = { vatId: compact('vatId'), currency: compact('currency'), iban: compact('iban') };
      return { number: text('number'), seller, date, total, ...codes };
    },
  };
}
