import type { workers as english } from '../en/workers.ts';
import type { SameKeys } from '../catalogue/shape.ts';

export const workers: SameKeys<typeof english> = {
  lead: 'Die Prozesse, die die Aufträge ausführen. Jeder meldet sich jede halbe Minute.',
  lastSeen: 'Letztes Lebenszeichen',
  load: 'Auslastung',
  running: 'Laufend',
  checks: 'Prüfungen der letzten 30 Tage',
  noChecks: 'Es wurde noch nichts geprüft.',
  day: 'Tag',
  answered: 'Erreicht',
  missed: 'Verpasst',
  highestLoad: 'Höchste Auslastung',
  addressHint: 'Adressen kennzeichnen einen Worker. Sie werden nie angewählt.',
  joinTokens: 'Beitrittsschlüssel',
  joinLead: 'Ein Worker in einem eigenen Prozess tritt mit einem Schlüssel bei. Er gilt für einen Worker und 24 Stunden.',
  makeToken: 'Beitrittsschlüssel erstellen',
  tokenOnce: 'Dieser Schlüssel wird nur jetzt angezeigt.',
  tokenUse: 'Starten Sie den Worker einmal mit HOLDFAST_WORKER_JOIN_TOKEN gleich diesem Wert:',
  tokenKept: 'Ich habe ihn notiert',
  noTokens: 'Kein Schlüssel wartet auf einen Worker.',
  madeBy: 'Erstellt von',
  madeAt: 'Erstellt',
  goodUntil: 'Gültig bis',
  revoke: 'Widerrufen',
};
