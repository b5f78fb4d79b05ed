import type { stages as english } from '../en/stages.ts';
import type { SameKeys } from '../catalogue/shape.ts';

export const stages: SameKeys<typeof english> = {
  queued: 'Wartet auf einen Worker',
  preparing: 'Umfang wird ermittelt',
  working: 'In Arbeit',
  enumerating: 'Änderungen werden abgefragt',
  reading: 'Lesen',
  committing: 'Speichern',
  restoring: 'Wiederherstellen',
  checking: 'Prüfen',
  waitingForMicrosoft: 'Wartet auf Microsoft 365',
  waitingForStorage: 'Wartet auf den Speicher',
  finished: 'Abgeschlossen',
};
