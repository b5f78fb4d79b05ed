import type { documents as english } from '../en/documents.ts';
import type { SameKeys } from '../catalogue/shape.ts';

export const documents: SameKeys<typeof english> = {
  lead: 'PDF-Dateien, die Ihre Organisation neben ihren Sicherungen aufbewahrt. Sie werden verschlüsselt an Ihrem Speicherort abgelegt.',
  reportsLead: 'Berichte als PDF-Dateien. Sie werden verschlüsselt an Ihrem Speicherort abgelegt.',
  upload: 'PDF hochladen',
  uploadTitle: 'PDF-Datei hochladen',
  choose: 'Datei auswählen',
  drop: 'Ziehen Sie eine PDF-Datei hierher, oder wählen Sie eine aus. Höchstens 3 MB.',
  abbr: 'Kürzel',
  fileName: 'Dateiname',
  filesTab: 'PDF-Dateien',
  report: 'Bericht',
  document: 'Dokument',
  size: 'Größe',
  uploadedAt: 'Datum',
  uploadedBy: 'Hochgeladen von',
  uploading: '{{name}} wird hochgeladen',
  uploaded: '{{share}} hochgeladen',
  download: 'Herunterladen',
  downloadNamed: '{{name}} herunterladen',
  previousPage: 'Vorherige Seite',
  nextPage: 'Nächste Seite',
  pageOf: 'Seite {{number}} von {{count}}',
  deleteNamed: '{{name}} löschen',
  emptyReports: 'Noch keine Berichte. Laden Sie eine PDF-Datei hoch, um sie hier aufzubewahren.',
  emptyDocuments: 'Noch keine Dokumente. Laden Sie eine PDF-Datei hoch, um sie hier aufzubewahren.',
};
