import { expect, test } from 'vitest';
import yazl from 'yazl';
import { readDocument } from '../read-document.ts';

/** Invoices of the two syntaxes of EN 16931 and of ZUGFeRD 1, cut down to their fields. */
const UBL = 'urn:oasis:names:specification:ubl:schema:xsd';
const xrechnung = `<?xml version="1.0" encoding="UTF-8"?>
<ubl:Invoice xmlns:ubl="${UBL}:Invoice-2" xmlns:cac="${UBL}:CommonAggregateComponents-2" xmlns:cbc="${UBL}:CommonBasicComponents-2">
  <cbc:ID>RE-2026/0417</cbc:ID><cbc:IssueDate>2026-05-31</cbc:IssueDate><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
  <cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>RE-OLD</cbc:ID></cac:InvoiceDocumentReference></cac:BillingReference>
  <cac:AccountingSupplierParty><cac:Party><cac:PartyName><cbc:Name>Kessel</cbc:Name></cac:PartyName>
    <cac:PartyTaxScheme><cbc:CompanyID>DE 123 456 789</cbc:CompanyID></cac:PartyTaxScheme>
    <cac:PartyLegalEntity><cbc:RegistrationName>Kesselbau Müller GmbH</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty>
  <cac:AccountingCustomerParty><cac:Party><cac:PartyTaxScheme><cbc:CompanyID>DE999</cbc:CompanyID></cac:PartyTaxScheme></cac:Party></cac:AccountingCustomerParty>
  <cac:PaymentMeans><cac:PayeeFinancialAccount><cbc:ID>de89 3704 0044 0532 0130 00</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>
  <cac:LegalMonetaryTotal><cbc:TaxExclusiveAmount>1000.00</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount currencyID="EUR">1190.00</cbc:TaxInclusiveAmount></cac:LegalMonetaryTotal>
</ubl:Invoice>`;

function crossIndustry(root: string, document: string, trade: string, sum: string): string {
  const transaction = root === 'CrossIndustryInvoice' ? 'SupplyChainTradeTransaction' : 'SpecifiedSupplyChainTradeTransaction';
  return `<rsm:${root} xmlns:rsm="urn:un:${root}:100" xmlns:ram="urn:ram" xmlns:udt="urn:udt">
  <rsm:${document}><ram:ID>F-7</ram:ID><ram:IssueDateTime><udt:DateTimeString format="102">20260229</udt:DateTimeString></ram:IssueDateTime></rsm:${document}>
  <rsm:${transaction}><ram:${trade}Agreement><ram:SellerTradeParty><ram:Name>Fabrikam</ram:Name>
    <ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">201/113/40209</ram:ID></ram:SpecifiedTaxRegistration>
    <ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE136695976</ram:ID></ram:SpecifiedTaxRegistration></ram:SellerTradeParty></ram:${trade}Agreement>
  <ram:${trade}Settlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
    <ram:SpecifiedTradeSettlementPaymentMeans><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>DE02120300000000202051</ram:IBANID></ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans>
    <ram:${sum}><ram:GrandTotalAmount>529.87</ram:GrandTotalAmount></ram:${sum}></ram:${trade}Settlement></rsm:${transaction}></rsm:${root}>`;
}
const facturX = crossIndustry(
  'CrossIndustryInvoice',
  'ExchangedDocument',
  'ApplicableHeaderTrade',
  'SpecifiedTradeSettlementHeaderMonetarySummation',
);
const zugferd1 = crossIndustry(
  'CrossIndustryDocument',
  'HeaderExchangedDocument',
  'ApplicableSupplyChainTrade',
  'SpecifiedTradeSettlementMonetarySummation',
);

/** A PDF of one empty page that carries a file. */
function pdfWith(name: string, content: string): Buffer {
  const objects = [
    `<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(${name}) 4 0 R]>>>>>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>',
    `<</Type/Filespec/F(${name})/UF(${name})/EF<</F 5 0 R>>>>`,
    `<</Type/EmbeddedFile/Length ${Buffer.byteLength(content)}>>\nstream\n${content}\nendstream`,
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.7\n${body}trailer\n<</Root 1 0 R/Size 6>>\n%%EOF\n`);
}

function mailWith(name: string, bytes: Buffer): Buffer {
  const head = 'From: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n';
  const part = `Content-Type: application/pdf; name=${name}\r\nContent-Disposition: attachment; filename=${name}\r\nContent-Transfer-Encoding: base64\r\n\r\n`;
  return Buffer.from(`${head}${part}${bytes.toString('base64')}\r\n--b--\r\n`);
}

async function zipOf(name: string, bytes: Buffer): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  zip.addBuffer(bytes, name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function invoicesOf(name: string, content: string | Buffer) {
  const parts = await readDocument({ name, bytes: Buffer.from(content) });
  return parts.flatMap(({ path, invoice }) => (invoice ? [{ in: path.at(-1), ...invoice }] : []));
}
const fromFabrikam = {
  number: 'F-7',
  seller: 'Fabrikam',
  vatId: 'DE136695976',
  date: null,
  total: '529.87',
  currency: 'EUR',
  iban: 'DE02120300000000202051',
};

test('the fields of an XRechnung are those of its seller and of no other part of it', async () => {
  expect(await invoicesOf('xrechnung.xml', xrechnung)).toEqual([
    {
      in: 'xrechnung.xml',
      number: 'RE-2026/0417',
      seller: 'Kesselbau Müller GmbH',
      vatId: 'DE123456789',
      date: '2026-05-31',
      total: '1190.00',
      currency: 'EUR',
      iban: 'DE89370400440532013000',
    },
  ]);
});

test('an invoice in the XML of a PDF in a mail in a zip is read, and a day that does not exist is none', async () => {
  const carried = await zipOf('kept.eml', mailWith('invoice.pdf', pdfWith('factur-x.xml', facturX)));
  expect(await invoicesOf('all.zip', carried)).toEqual([{ in: 'factur-x.xml', ...fromFabrikam }]);
});

test('ZUGFeRD 1 and credit notes are read as well', async () => {
  expect(await invoicesOf('ZUGFeRD-invoice.xml', zugferd1)).toEqual([{ in: 'ZUGFeRD-invoice.xml', ...fromFabrikam }]);
  const note = xrechnung.replaceAll('ubl:Invoice', 'ubl:CreditNote');
  expect(await invoicesOf('note.xml', note)).toMatchObject([{ number: 'RE-2026/0417', total: '1190.00' }]);
});

test.each([
  ['another document', '<order><ID>7</ID><IssueDate>2026-05-31</IssueDate></order>'],
  ['a number alone', '<Invoice><ID>7</ID></Invoice>'],
  ['neither a day nor an amount that is one', '<Invoice><ID>7</ID><IssueDate>soon</IssueDate></Invoice>'],
  ['no number', '<Invoice><IssueDate>2026-05-31</IssueDate></Invoice>'],
])('%s is no invoice, and its text is read', async (_what, content) => {
  const [part] = await readDocument({ name: 'a.xml', bytes: Buffer.from(content) });
  expect(part?.invoice).toBeUndefined();
  expect(part?.state).toBe('indexed');
});

test('the text of an invoice is searched as that of any other document', async () => {
  const [part] = await readDocument({ name: 'a.xml', bytes: Buffer.from(xrechnung) });
  expect(part?.text).toContain('Kesselbau Müller GmbH');
});
