import type { Language } from '../state/directory.ts';
import { officeParts } from './office-parts.ts';
import { pdfFile } from './pdf-file.ts';
import { makeZip } from './zip.ts';

/** A document that somebody wrote: what they remember of it finds it. */
interface Written {
  readonly name: string;
  readonly extension: 'docx' | 'xlsx' | 'pptx' | 'pdf';
  readonly texts: readonly string[];
}

const written: Readonly<Record<Language, readonly Written[]>> = {
  en: [
    {
      name: 'Framework agreement boilers',
      extension: 'docx',
      texts: [
        'Framework agreement on the delivery of boilers and valve housings.',
        'The supplier keeps forty valve housings in stock at the Rotterdam warehouse and replaces a faulty housing within two working days.',
        'Late delivery: half a per cent of the order value for each week begun, five per cent at most.',
      ],
    },
    {
      name: 'Price list spare parts',
      extension: 'xlsx',
      texts: [
        'Gasket ring DN 50',
        '0.35',
        'Valve housing, cast iron',
        '1249.90',
        'Burner nozzle, stainless',
        '87.20',
        'Pressure gauge 0 to 16 bar',
        '42.75',
      ],
    },
    {
      name: 'Kick-off new warehouse',
      extension: 'pptx',
      texts: [
        'New warehouse in Rotterdam',
        'Racking is delivered in calendar week 34',
        'Open point: sprinkler approval by the fire brigade',
        'Move in before the autumn peak',
      ],
    },
    {
      name: 'Expert opinion pressure vessel',
      extension: 'pdf',
      texts: [
        'Expert opinion on the pressure vessel of the Aberdeen plant.',
        'The longitudinal weld shows hairline cracks over a length of 140 millimetres. The cause is vibration of the feed pump, not a fault of the material.',
        'Recommendation: replace the segment before the heating season, and repeat the ultrasonic test after 500 hours of operation.',
      ],
    },
    {
      name: 'Lease contract office London',
      extension: 'pdf',
      texts: [
        'Lease contract between Thames Quay Estates and the tenant.',
        'The tenant may sublet the mezzanine floor with the written consent of the landlord. The break clause can be exercised in the fifth year with nine months of notice.',
      ],
    },
  ],
  de: [
    {
      name: 'Rahmenvertrag Kesselanlagen',
      extension: 'docx',
      texts: [
        'Rahmenvertrag über die Lieferung von Kesselanlagen und Ventilgehäusen.',
        'Der Lieferant hält im Lager Duisburg vierzig Ventilgehäuse vor und ersetzt ein schadhaftes Gehäuse innerhalb von zwei Werktagen.',
        'Vertragsstrafe bei Verzug: ein halbes Prozent des Auftragswerts je angefangene Woche, höchstens fünf Prozent.',
      ],
    },
    {
      name: 'Preisliste Ersatzteile',
      extension: 'xlsx',
      texts: [
        'Dichtungsring DN 50',
        '0,35',
        'Ventilgehäuse, Grauguss',
        '1249,90',
        'Brennerdüse, Edelstahl',
        '87,20',
        'Manometer 0 bis 16 bar',
        '42,75',
      ],
    },
    {
      name: 'Auftakt neues Lager',
      extension: 'pptx',
      texts: [
        'Neues Lager in Duisburg',
        'Regale werden in Kalenderwoche 34 geliefert',
        'Offener Punkt: Abnahme der Sprinkleranlage durch die Feuerwehr',
        'Umzug vor der Herbstsaison',
      ],
    },
    {
      name: 'Gutachten Druckbehälter',
      extension: 'pdf',
      texts: [
        'Gutachten über den Druckbehälter im Werk Chemnitz.',
        'Die Längsnaht zeigt auf 140 Millimetern Haarrisse. Ursache sind Schwingungen der Speisepumpe, kein Fehler des Werkstoffs.',
        'Empfehlung: das Segment vor der Heizperiode austauschen und die Ultraschallprüfung nach 500 Betriebsstunden wiederholen.',
      ],
    },
    {
      name: 'Mietvertrag Büro Leipzig',
      extension: 'pdf',
      texts: [
        'Mietvertrag zwischen der Brühl Liegenschaften GmbH und der Mieterin.',
        'Die Mieterin darf das Zwischengeschoss mit schriftlicher Zustimmung der Vermieterin untervermieten. Das Sonderkündigungsrecht kann im fünften Jahr mit einer Frist von neun Monaten ausgeübt werden.',
      ],
    },
  ],
};

/** A written document as a file. */
export interface OfficeDocument {
  readonly name: string;
  readonly extension: string;
  readonly bytes: Buffer;
}

const made = new Map<Written, OfficeDocument>();

function make({ name, extension, texts }: Written): OfficeDocument {
  const bytes = extension === 'pdf' ? pdfFile([name, ...texts]) : makeZip(officeParts(extension, name, texts));
  return { name: `${name}.${extension}`, extension, bytes };
}

/** The document of a number; undefined beyond the last one. */
export function officeDocument(language: Language, index: number): OfficeDocument | undefined {
  const document = written[language][index];
  if (!document) return undefined;
  const known = made.get(document) ?? make(document);
  made.set(document, known);
  return known;
}

/** All of a language, in order. */
export function officeDocuments(language: Language): readonly OfficeDocument[] {
  return written[language].map((_, index) => officeDocument(language, index)).filter((document) => document !== undefined);
}
