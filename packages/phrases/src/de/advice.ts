import type { advice as english } from '../en/advice.ts';
import type { SameKeys } from '../catalogue/shape.ts';

export const advice: SameKeys<typeof english> = {
  retryNextRun: 'Der nächste Lauf versucht es von selbst erneut.',
  grantRole: 'Erteilen Sie die fehlende Berechtigung in Entra und testen Sie die Verbindung.',
  assignLicence: 'Weisen Sie eine Lizenz zu, oder nehmen Sie es aus dem Auftrag.',
  waitForProvisioning: 'Warten Sie, bis Microsoft es eingerichtet hat.',
  askAccessPolicy:
    'Bitten Sie Ihre Exchange-Administration, das Postfach für die App freizugeben (RBAC für Anwendungen oder Anwendungszugriffsrichtlinie).',
  removeMalware: 'Bereinigen oder löschen Sie das Element in Microsoft 365.',
  openInApp: 'Öffnen Sie das Element in seiner App und speichern Sie es erneut.',
  freeSpace: 'Schaffen Sie Platz in Microsoft 365.',
  unlockItem: 'Schließen Sie das Element dort, wo es geöffnet ist.',
  reactivate: 'Reaktivieren Sie es in Microsoft 365, falls der Inhalt gebraucht wird.',
  notPossible: 'Nichts zu machen: Microsoft lässt es nicht zu.',
  checkSource: 'Sehen Sie sich das Element in Microsoft 365 an.',
  runArchiveJob:
    'Führen Sie den Archivauftrag aus oder entfernen Sie ihn, wenn nichts mehr archiviert werden soll. Die nächste Löschung nimmt diese Wiederherstellungspunkte dann mit.',
  repairVault:
    'Lassen Sie den Tresor, wie er ist, und reparieren Sie ihn aus einer zweiten Kopie, mit dem Konsolenbefehl „admin vault repair“.',
  none: 'Nichts.',
};
