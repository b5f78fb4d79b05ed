/** Names of people and of their work, in the two languages of the tenants. */
export const firstNames = {
  en: 'Alice Adam Amelia Ben Charlotte Claire Daniel Edward Ella Fiona George Grace Harry Hannah Isaac Jack Jessica Kate Liam Lucy Mark Megan Noah Olivia Oscar Peter Rachel Robert Sarah Simon Sophie Thomas Victoria William Zoe'.split(
    ' ',
  ),
  de: 'Anna Andreas Bettina Björn Carla Christian Daniela Dirk Elke Emil Franziska Friedrich Gabriele Günther Hanna Heiko Ines Jonas Jürgen Karin Katharina Lukas Markus Nadine Oliver Petra Ralf Sabine Stefan Susanne Tobias Ulrike Uwe Vera Wolfgang'.split(
    ' ',
  ),
} as const;

export const lastNames = {
  en: 'Adams Baker Bennett Brooks Carter Clarke Collins Cooper Davies Edwards Ellis Evans Fletcher Foster Graham Harris Hughes Jenkins Kelly Lewis Marshall Mitchell Morgan Palmer Parker Reynolds Roberts Shaw Simpson Stewart Taylor Turner Walker Watson Wright'.split(
    ' ',
  ),
  de: 'Albrecht Bauer Becker Böhm Braun Dietrich Engel Fischer Franke Graf Günther Hartmann Herrmann Hoffmann Huber Jäger Kaiser Keller Klein Koch Köhler König Krämer Krüger Lange Lehmann Maier Möller Müller Neumann Richter Schäfer Schröder Vogel Zimmermann'.split(
    ' ',
  ),
} as const;

export const departments = {
  en: ['Sales', 'Marketing', 'Finance', 'Engineering', 'Human Resources', 'Legal', 'Operations', 'Customer Service'],
  de: ['Vertrieb', 'Marketing', 'Finanzen', 'Entwicklung', 'Personal', 'Recht', 'Betrieb', 'Kundendienst'],
} as const;

export const jobTitles = {
  en: [
    'Account Manager',
    'Analyst',
    'Assistant',
    'Consultant',
    'Director',
    'Engineer',
    'Head of Department',
    'Project Manager',
    'Specialist',
    'Team Lead',
  ],
  de: [
    'Abteilungsleitung',
    'Assistenz',
    'Buchhaltung',
    'Fachberatung',
    'Geschäftsführung',
    'Ingenieurin',
    'Ingenieur',
    'Projektleitung',
    'Sachbearbeitung',
    'Teamleitung',
  ],
} as const;

/** Companies outside: customers, suppliers, authorities. Their domains are reserved for examples. */
export const partners = [
  ['Northwind Traders', 'northwind.example'],
  ['Adventure Works', 'adventure-works.example'],
  ['Fourth Coffee', 'fourthcoffee.example'],
  ['Litware GmbH', 'litware.example'],
  ['Tailspin Toys', 'tailspin.example'],
  ['Wingtip AG', 'wingtip.example'],
  ['Stadtwerke Musterstadt', 'stadtwerke.example'],
  ['Kanzlei Dr. Vogt & Partner', 'kanzlei-vogt.example'],
  ['Proseware Ltd', 'proseware.example'],
  ['Spedition Kranz', 'spedition-kranz.example'],
  ['Alpine Ski House', 'alpineskihouse.example'],
  ['Druckerei Lindner', 'druckerei-lindner.example'],
] as const;

const LATIN: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

/** A name as it stands in an address: lower case, umlauts spelt out. */
export function addressName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[äöüß]/gu, (sign) => LATIN[sign] ?? sign)
    .replaceAll(/[^a-z0-9]+/gu, '.')
    .replaceAll(/^\.|\.$/gu, '');
}
