import type { ErrorCode } from '@holdfast/contract/errors';

export const errors: Readonly<Record<ErrorCode, string>> = {
  'request.invalid': 'Ungültige Anfrage',
  'request.malformed-id': 'Die Adresse enthält eine ungültige Kennung.',
  'request.malformed-json': 'Die Anfrage ist kein gültiges JSON.',
  'request.unsupported-type': 'Diese Art von Inhalt wird hier nicht angenommen. Senden Sie JSON.',
  'request.too-large': 'Die Anfrage ist zu groß.',
  'request.method-not-allowed': 'Diese Adresse unterstützt die Methode nicht.',
  'request.rate-limited': 'Zu viele Anfragen. Bitte warten Sie einen Moment und versuchen Sie es erneut.',
  'request.precondition-failed': 'Dies wurde inzwischen von jemand anderem geändert. Laden Sie es neu und versuchen Sie es erneut.',
  'request.idempotency-conflict': 'Dieser Schlüssel wurde bereits für eine andere Anfrage verwendet.',
  unauthorized: 'Nicht autorisiert',
  'access.outside-networks':
    'Aus Ihrem Netzwerk ist diese Organisation nicht zugänglich. Fragen Sie einen Besitzer nach den zugelassenen Netzwerken.',
  'access-denied': 'Zugriff verweigert',
  'not-found': 'Ressource nicht gefunden',
  internal: 'Interner Serverfehler',
  'service.overloaded': 'Der Server ist ausgelastet. Bitte versuchen Sie es in einigen Sekunden erneut.',
  'service.unavailable': 'Dieser Dienst ist derzeit nicht verfügbar.',
  'identity.invalid-credentials': 'Ungültige Anmeldedaten.',
  'identity.verification-failed': 'Die Anmeldung konnte nicht bestätigt werden!',
  'identity.invalid-code': 'Ungültiger Bestätigungscode. Versuche: {{count}}',
  'identity.code-send-limit': 'Es wurden zu viele Codes gesendet. Bitte warten Sie 15 Minuten und versuchen Sie es erneut.',
  'identity.second-factor-required': 'Richten Sie zuerst die Zwei-Faktor-Authentifizierung ein.',
  'identity.email-not-confirmed': 'Ihre E-Mail-Adresse ist nicht bestätigt. Bis dahin ist der Cloudbereich gesperrt.',
  'identity.registration-closed': 'Konten werden auf Einladung angelegt. Bitte wenden Sie sich an Ihren Administrator.',
  'identity.reset-failed': 'Das Kennwort konnte nicht zurückgesetzt werden!',
  'identity.already-set-up': 'Diese Installation ist bereits eingerichtet. Bitte melden Sie sich an.',
  'identity.invitation-above-role': 'Sie können keine Rolle vergeben, die über Ihrer eigenen liegt.',
  'identity.last-owner': 'Eine Organisation braucht mindestens einen Besitzer. Ernennen Sie zuerst einen weiteren.',
  'identity.setup-token-invalid':
    'Dieser Einrichtungslink ist nicht mehr gültig. Starten Sie den Server neu und verwenden Sie den Link, den er ausgibt.',
  'identity.already-member': 'Diese Person ist bereits Mitglied der Organisation oder hat eine offene Einladung.',
  'identity.not-invited': 'Für diese Person gibt es keine offene Einladung.',
  'identity.not-to-confirm': 'Diese Person muss niemand bestätigen.',
  'identity.another-owner-confirms': 'Bestätigen muss ein Besitzer, der dieser Person die Rolle nicht selbst gegeben hat.',
  'identity.not-joined': 'Diese Person hat die Einladung noch nicht angenommen.',
  'identity.invitation-over': 'Diese Einladung ist abgelaufen oder wurde zurückgezogen. Bitten Sie die Organisation um eine neue.',
  'identity.invitation-other-address':
    'Diese Einladung gilt für eine andere E-Mail-Adresse. Melden Sie sich mit der eingeladenen Adresse an.',
  'organisations.name-taken': 'Ein Kunde mit diesem Namen ist bereits vorhanden.',
  'sign-in-rules.own-address': 'Ihre eigene Adresse {{address}} wäre ausgeschlossen. Ergänzen Sie deren Netzwerk.',
  'sign-in-rules.own-factor': 'Melden Sie sich zuerst mit einem zweiten Faktor an, bevor Sie ihn verlangen.',
  'identity.local-sign-in-required': 'Sie haben sich mit Microsoft angemeldet. Das ist nur bei einer Anmeldung mit Kennwort möglich.',
  'microsoft-sign-in.not-set-up': 'Unter diesem Namen gibt es keine Anmeldung mit Microsoft.',
  'microsoft-sign-in.issuer-refused': 'Dieser Aussteller hat keine öffentliche Adresse. Der Betreiber kann den Host zulassen.',
  'microsoft-sign-in.secret-missing': 'Geben Sie den geheimen Clientschlüssel dieser Anwendung ein.',
  'microsoft-sign-in.unreachable': 'Unter diesem Aussteller antwortet kein OpenID-Anbieter.',
  'microsoft-sign-in.failed': 'Die Anmeldung mit Microsoft konnte nicht abgeschlossen werden. Beginnen Sie neu.',
  'microsoft-sign-in.no-role': 'Sie haben hier keinen Zugang: Keine Ihrer Gruppen hat eine Rolle, oder Ihr Zugang ist beendet.',
  'microsoft-sign-in.address-taken': 'Zu Ihrer Adresse gibt es bereits ein Konto mit Kennwort. Melden Sie sich damit an.',
  'passkeys.not-possible':
    'Passkeys brauchen als öffentliche Adresse einen Namen, der mit https:// beginnt. Fragen Sie den Betreiber dieser Installation.',
  'passkeys.too-many': 'Mehr Passkeys fasst ein Konto nicht. Entfernen Sie zuerst einen.',
  'passkeys.not-accepted': 'Dieser Passkey konnte nicht hinzugefügt werden. Beginnen Sie neu.',
  'passkeys.refused': 'Dieser Passkey wurde nicht angenommen. Versuchen Sie es erneut oder melden Sie sich anders an.',
  'passkeys.last-way-in':
    'Dieser Passkey ist Ihr letzter Zugang. Richten Sie zuerst eine Authentifizierungs-App oder einen anderen Passkey ein.',
  'workers.join-refused': 'Dieses Beitrittstoken ist nicht mehr gültig. Erstellen Sie ein neues und versuchen Sie es erneut.',
  'workers.address-taken': 'Ein anderer Worker dieses Kunden hat diese Adresse bereits.',
  'workers.version-refused': 'Die Version des Workers ist zu weit von der des Servers entfernt. Bringen Sie beide auf dieselbe Version.',
  'workers.local-stays': 'Der Worker im Server lässt sich nicht entfernen: Er ist da, solange der Server läuft.',
  'tenants.name-taken': 'Ein Mandant mit diesem Namen ist bereits vorhanden.',
  'tenants.already-connected': 'Dieser Microsoft 365-Mandant ist bereits verbunden.',
  'tenants.credential-refused':
    'Microsoft hat die Anmeldedaten abgelehnt. Prüfen Sie Client-ID, Mandanten-ID und das Geheimnis oder Zertifikat.',
  'tenants.certificate-invalid':
    'Das Zertifikat kann nicht gelesen werden. Fügen Sie Zertifikat und privaten Schlüssel als einen PEM-Text ein.',
  'tenants.thumbprint-mismatch': 'Der Fingerabdruck gehört nicht zu diesem Zertifikat.',
  'tenants.unreachable': 'Microsoft ist nicht erreichbar. Prüfen Sie die Verbindung des Servers und versuchen Sie es erneut.',
  'tenants.clock-skew': 'Die Uhr dieses Servers weicht von der von Microsoft ab. Stellen Sie die Uhr und versuchen Sie es erneut.',
  'tenants.still-provisioned': 'Heben Sie zuerst die Bereitstellung des Mandanten auf, bevor Sie ihn löschen.',
  'tenants.in-use': 'Daten dieses Mandanten stehen unter Legal Hold ({{holds}}). Er kann nicht gelöscht werden.',
  'tenants.holds-restore-points':
    'Die Speicherorte dieses Mandanten enthalten Wiederherstellungspunkte. Solange das so ist, kann er nicht gelöscht werden.',
  'tenants.busy': 'Ein anderer Vorgang dieses Mandanten läuft noch. Bitte warten Sie, bis er abgeschlossen ist.',
  'tenants.not-provisioned': 'Dieser Mandant ist nicht bereitgestellt.',
  'tenants.deprovisioned': 'Die Bereitstellung dieses Mandanten ist aufgehoben. Stellen Sie ihn erneut bereit, bevor Sie ihn verwenden.',
  'locations.name-taken': 'Ein Speicherort mit diesem Namen ist bereits vorhanden.',
  'locations.test-failed': 'Der Speicherort hat den Test nicht bestanden. Es wurde nichts gespeichert.',
  'locations.path-refused': 'Dieser Ordner darf nicht verwendet werden. Wählen Sie einen unterhalb eines vom Betreiber erlaubten Ordners.',
  'locations.host-refused': 'Diese Adresse darf nicht verwendet werden. Der Betreiber muss sie zuerst erlauben.',
  'locations.overlaps': 'Ein anderer Speicherort oder Tresor liegt an diesem Ort, darin oder darum herum. Wählen Sie einen eigenen Ort.',
  'locations.in-use':
    'Dieser Speicherort enthält Wiederherstellungspunkte oder wird von einem Auftrag verwendet. Er kann nicht gelöscht werden.',
  'locations.immutability-shortened': 'Die Unveränderlichkeit kann verlängert, aber weder verkürzt noch abgeschwächt werden.',
  'configuration.no-tenant': 'In der Konfiguration wurde kein Mandant gefunden. Bitte konfigurieren Sie einen.',
  'configuration.workload-off':
    'Dieser Dienst ist in der Konfiguration des Mandanten deaktiviert. Ein Administrator muss ihn aktivieren, bevor seine Aufträge laufen.',
  'jobs.name-taken': 'Ein Auftrag mit diesem Namen ist bereits vorhanden.',
  'jobs.location-unknown': 'Bitte wählen Sie einen Speicherort dieses Mandanten.',
  'jobs.location-use':
    'Dieser Speicherort ist für Aufträge dieser Art nicht vorgesehen. Wählen Sie einen anderen, oder ändern Sie seine Verwendung.',
  'jobs.type-unavailable': 'Aufträge dieses Typs sind nicht verfügbar.',
  'jobs.date-in-past': 'Bitte wählen Sie ein Datum und eine Uhrzeit in der Zukunft.',
  'jobs.time-zone-unknown': 'Diese Zeitzone ist nicht bekannt.',
  'jobs.type-fixed': 'Art und Dienst eines Auftrags können nicht geändert werden. Erstellen Sie stattdessen einen neuen Auftrag.',
  'jobs.already-running': 'Der Auftrag wurde bereits gestartet.',
  'jobs.not-running': 'Der Auftrag läuft nicht.',
  'jobs.approval-needed': 'Der Auftrag wartet, bis eine zweite Person ihn genehmigt hat. Siehe Genehmigungen.',
  'holds.resource-unknown': 'Keine Ressource hat diese ID. Wählen Sie erneut aus, was unter Legal Hold stehen soll.',
  'holds.item-unknown': 'Eine der Dateien oder einer der Ordner ist in keinem Wiederherstellungspunkt dieser Website oder dieses OneDrive.',
  'holds.search-unknown':
    'Diese gespeicherte Suche gibt es in diesem Mandanten nicht. Speichern Sie die Suche, und stellen Sie dann ihre Treffer unter Legal Hold.',
  'holds.not-active': 'Dieser Legal Hold ist bereits aufgehoben.',
  'hold-notices.hold-ended': 'Dieser Legal Hold ist aufgehoben. Benachrichtigungen werden nur gesendet, solange er gilt.',
  'hold-notices.staging': 'Im Staging-Bereich werden keine Benachrichtigungen gesendet. Wechseln Sie in die Produktion.',
  'hold-notices.link-over':
    'Dieser Link ist nicht gültig, oder die Angelegenheit ist beendet. Wenn Sie eine Benachrichtigung erwartet haben, bitten Sie den Absender um eine neue.',
  'retention.mailbox-unknown':
    'Es gibt kein solches archiviertes Postfach. Wählen Sie eines, das ein Archivauftrag, ein Import oder ein Empfänger gefüllt hat.',
  'retention.place-unknown':
    'Eine dieser Websites, Dateien oder einer der Ordner ist in keinem Wiederherstellungspunkt. Wählen Sie, was vorhanden ist.',
  'retention.other-subject':
    'Eine Richtlinie für Dateien tritt nur an die Stelle einer für Dateien, eine für Nachrichten nur an die Stelle einer für Nachrichten.',
  'retention.no-archiving-day': 'Dateien haben keinen Tag der Archivierung. Zählen Sie ab der letzten Änderung oder ab einem Ereignis.',
  'retention.search-unknown':
    'Diese gespeicherte Suche gibt es nicht, oder ihre Suchanfrage ist nicht mehr lesbar. Wählen Sie eine andere, oder berichtigen Sie ihre Suchanfrage.',
  'retention.search-marks':
    'Diese Suche fragt nach Holds, Richtlinien, Fällen, Tags oder Notizen. Ihr Ergebnis hängt davon ab, wer sucht; keine Richtlinie kann sich danach richten. Wählen Sie eine Suche ohne diese Felder.',
  'retention.label-unknown':
    'Kein gesichertes Element trägt eine Vertraulichkeitsbezeichnung dieses Namens. Wählen Sie eine gefundene, oder geben Sie ihre GUID an.',
  'retention.name-taken': 'Eine Richtlinie mit diesem Namen ist bereits vorhanden.',
  'retention.not-draft':
    'Nur ein Entwurf kann geändert, aktiviert oder gelöscht werden. Ziehen Sie den Antrag unter Genehmigungen zurück, oder ersetzen Sie die Richtlinie.',
  'retention.not-active': 'Diese Richtlinie ist nicht in Kraft.',
  'retention.not-deleting': 'Diese Richtlinie löscht nichts: Sie ist nicht in Kraft, hat keine Höchstfrist oder wurde bereits angehalten.',
  'retention.preview-needed':
    'Die Vorschau fehlt oder ist älter als ein Tag. Rufen Sie die Vorschau erneut ab, und beantragen Sie dann die Aktivierung.',
  'retention.directory-unread':
    'Das Verzeichnis wurde noch nicht gelesen; deshalb steht nicht fest, um wessen Postfächer es geht. Es wird innerhalb einer Minute gelesen; öffnen Sie danach die Vorschau erneut.',
  'retention.reviewer-unknown':
    'Eine der prüfenden Personen ist weder Besitzer noch Administrator dieser Organisation. Wählen Sie eine andere.',
  'retention.event-unknown': 'Zeile {{line}}: Es gibt kein archiviertes Postfach {{subject}}. Es wurde nichts erfasst.',
  'retention.not-waiting':
    'Eine dieser Nachrichten wartet nicht mehr auf eine Entscheidung. Es wurde nichts entschieden; laden Sie die Liste neu.',
  'retention.not-reviewer': 'Sie prüfen nicht in dieser Stufe. Hier prüfen: {{reviewers}}.',
  'retention.decided-before':
    'Sie haben über eine dieser Nachrichten bereits in einer früheren Stufe entschieden. In dieser Stufe entscheidet eine andere Person.',
  'retention.until-past': 'Dieser Tag ist vorbei. Wählen Sie einen späteren.',
  'retention.in-force':
    'Aufbewahrungsrichtlinien schützen hier archivierte Nachrichten oder Dateien: {{policies}}. Bis dahin kann nichts gelöscht werden.',
  'approvals.not-open': 'Darüber wurde bereits entschieden.',
  'approvals.second-person-needed': 'Niemand genehmigt, was er selbst beantragt hat: Das muss jemand anders tun.',
  'approvals.second-person-exists':
    'Es gibt jemanden, der dies genehmigen kann. Die Wartefrist ist nur für den Fall, dass niemand sonst da ist.',
  'approvals.too-new': 'Sie haben Ihre Rolle noch nicht lange genug. Die Seite „Genehmigungen“ zeigt, ab wann Sie genehmigen können.',
  'approvals.unconfirmed': 'Sie können erst genehmigen, wenn ein anderer Besitzer Ihre Rolle unter „Benutzer“ bestätigt hat.',
  'approvals.after-request': 'Sie haben Ihre Rolle erst nach diesem Antrag erhalten. Bitten Sie um einen neuen Antrag.',
  'approvals.requester-gone': 'Die Person, die dies beantragt hat, darf das nicht mehr. Beantragen Sie es selbst.',
  'approvals.requester-yours': 'Sie haben der antragstellenden Person kürzlich ihre Rolle gegeben. Jemand anderes muss genehmigen.',
  'approvals.approver-left':
    'Das Warten ist noch nicht möglich, weil einer genehmigenden Person kürzlich die Rolle entzogen wurde. Die Seite „Genehmigungen“ zeigt, ab wann.',
  'approvals.reason-needed': 'Geben Sie einen Grund an, damit die anfragende Person ihn erfährt.',
  'deletions.nothing-archived': 'Keines der ausgewählten Elemente ist im Archiv.',
  'deletions.nothing-kept': 'Weder ein Archiv noch eine Sicherung enthält etwas davon.',
  'deletions.all-kept':
    'Alles auf dieser Liste wird aufbewahrt durch: {{by}}. Es kann nichts gelöscht werden. Heben Sie den Legal Hold auf, oder warten Sie, bis die Aufbewahrungsrichtlinie es erlaubt, und prüfen Sie dann erneut.',
  'deletions.list-changed':
    'Archive oder Sicherungen haben sich seit der Vorschau geändert. Prüfen Sie die Liste erneut, und beantragen Sie dann die Genehmigung.',
  'deletions.not-draft': 'Nur ein Entwurf lässt sich ändern, beantragen oder entfernen.',
  'deletions.not-stoppable': 'Diese Löschung ist weder in der Wartefrist noch wird sie gerade ausgeführt.',
  'deletions.not-resumable': 'Nur eine fehlgeschlagene oder angehaltene Löschung lässt sich fortsetzen.',
  'deletions.quarantined': 'Die Wartefrist dieser Löschung ist noch nicht abgelaufen.',
  'approvals.not-yours': 'Dies hat jemand anders beantragt.',
  'api-keys.above-role': 'Die Rolle dieses API-Schlüssels liegt über Ihrer eigenen. Wenden Sie sich an einen Besitzer.',
  'api-keys.over': 'Dieser API-Schlüssel ist bereits beendet.',
  'api-keys.too-many':
    'Die Organisation hat bereits 100 gültige API-Schlüssel. Beenden Sie einen nicht mehr benötigten und versuchen Sie es erneut.',
  'forwarding.host-refused':
    'Dieser Empfänger liegt in einem Netzwerk, das der Betreiber von Holdfast nicht zugelassen hat, oder die Adresse verwendet nicht https.',
  'forwarding.certificate-invalid': 'Dies ist kein Zertifikat im PEM-Format.',
  'forwarding.kind-stays': 'Die Art eines Empfängers kann nicht geändert werden. Fügen Sie einen neuen Empfänger hinzu.',
  'forwarding.too-many':
    'Die Organisation hat bereits 10 Empfänger. Entfernen Sie einen nicht mehr benötigten und versuchen Sie es erneut.',
  'proxy-rights.already-selected': 'Bereits ausgewählt.',
  'proxy-rights.already-holds': 'Besitzt bereits Stellvertreterrechte.',
  'proxy-rights.own':
    'Sie können Stellvertreterrechte weder sich selbst noch einer Gruppe geben, der Sie angehören. Wenden Sie sich an eine andere Person mit der Rolle Besitzer oder Administrator.',
  'proxy-rights.party-unknown': 'Dieses Konto oder diese Gruppe gibt es im Verzeichnis nicht. Wählen Sie etwas anderes.',
  'proxy-rights.access-over': 'Dieser Zugriff wäre bereits vorbei. Wählen Sie ein späteres Ende.',
  'proxy-rights.over': 'Dieses Stellvertreterrecht ist bereits beendet.',
  'restore.source-unknown': 'Dieser Speicherort enthält nichts von dieser Quelle.',
  'restore.point-unknown': 'Diesen Wiederherstellungspunkt gibt es nicht. Möglicherweise wurde er durch die Aufbewahrung entfernt.',
  'restore.role-missing':
    'Microsoft 365 hat eine Berechtigung nicht erteilt, die diese Wiederherstellung braucht. Welche es ist, sehen Sie unter Konfiguration.',
  'restore.reason-required': 'Bitte geben Sie an, warum dieser Inhalt geöffnet wird.',
  'restore.target-unusable': 'Auf dieses Ziel kann nichts wiederhergestellt werden. Wählen Sie ein anderes.',
  'restore.download-not-ready': 'Der Download wird noch erstellt.',
  'restore.download-not-yours': 'Nur die Person, die diesen Download vorbereitet hat, kann ihn abrufen. Bereiten Sie einen eigenen vor.',
  'restore.download-expired': 'Der Download ist nicht mehr vorhanden. Bitte starten Sie ihn erneut.',
  'undo.not-a-restore': 'Dieser Lauf hat nichts in Microsoft 365 geschrieben. Es gibt nichts zurückzunehmen.',
  'undo.not-ended': 'Diese Wiederherstellung läuft noch. Brechen Sie sie ab oder warten Sie ihr Ende ab, und nehmen Sie sie dann zurück.',
  'undo.under-way': 'Diese Wiederherstellung wird bereits zurückgenommen. Warten Sie, bis das abgeschlossen ist.',
  'undo.too-late':
    'Diese Wiederherstellung kann nicht mehr zurückgenommen werden: Seit ihrem Ende sind mehr als 30 Tage vergangen. Löschen Sie in Microsoft 365, was Sie nicht benötigen.',
  'undo.nothing-noted':
    'Diese Wiederherstellung kann nicht zurückgenommen werden: Sie hat nichts geändert, was Holdfast zurücknehmen könnte, oder stammt aus der Zeit, bevor das möglich war.',
  'discovery.expression-invalid': 'Das ist kein regulärer Ausdruck. Prüfen Sie Klammern und Rückstriche.',
  'discovery.directory-unavailable':
    'Das Verzeichnis von Microsoft 365 kann gerade nicht gelesen werden. Bitte versuchen Sie es später erneut.',
  'search.name-taken': 'Eine gespeicherte Suche mit diesem Namen gibt es bereits. Wählen Sie einen anderen Namen.',
  'search.in-use':
    'Diese gespeicherte Suche wird verwendet: {{uses}}. Entfernen Sie zuerst die Verwendungen, und löschen Sie dann die Suche.',
  'search.nothing-selected': 'Es wurde nichts ausgewählt. Die Treffer haben sich möglicherweise geändert; führen Sie die Suche erneut aus.',
  'search.selection-unknown': 'Diese Auswahl ist abgelaufen oder gehört einer anderen Person. Führen Sie die Suche erneut aus.',
  'search.hold-narrowed':
    'Ein Legal Hold verwendet diese Suche, und die neue Suchanfrage findet nicht mehr alle Elemente, die er bewahrt. Erweitern Sie die Suchanfrage, oder heben Sie zuerst den Legal Hold auf.',
  'search.invalid': 'Die Suchanfrage enthält Fehler. Korrigieren Sie die markierten Stellen und suchen Sie erneut.',
  'data-requests.answered': 'Dieser Antrag ist beantwortet. Tragen Sie einen neuen ein, wenn die Person erneut anfragt.',
  'data-requests.not-access': 'Nur ein Antrag auf Auskunft wird zusammengestellt und verpackt.',
  'data-requests.extended': 'Die Frist dieses Antrags wurde bereits verlängert. Das ist einmal möglich.',
  'data-requests.too-late': 'Der erste Monat ist abgelaufen. Eine Verlängerung muss vorher beschlossen werden.',
  'data-requests.in-future': 'Dieser Tag liegt in der Zukunft. Geben Sie heute oder einen früheren Tag ein.',
  'data-requests.before-receipt': 'Dieser Tag liegt vor dem Eingang des Antrags. Geben Sie einen späteren Tag ein.',
  'data-requests.item-unknown':
    'Einige der gewählten Elemente sind nicht mehr in der Liste. Öffnen Sie die Liste erneut und wählen Sie neu.',
  'cases.closed': 'Dieser Fall ist geschlossen. Öffnen Sie ihn erneut, um darin zu arbeiten.',
  'cases.not-closed': 'Dieser Fall ist offen.',
  'cases.holds-in-force':
    'Legal Holds dieses Falls sind in Kraft. Heben Sie sie einzeln auf, oder schließen Sie den Fall und behalten Sie sie bei.',
  'cases.member-unknown': 'Nur aktive Besitzer, Administratoren und Prüfer können Mitglied eines Falls sein.',
  'cases.last-member': 'Ein Fall hat mindestens ein Mitglied. Fügen Sie zuerst ein weiteres hinzu.',
  'cases.file-unknown': 'Eine der Dateien oder einer der Ordner ist in keinem Wiederherstellungspunkt dieser Website oder dieses OneDrive.',
  'cases.files-full': 'Ein Fall nimmt höchstens 2.000 Dateien und Ordner auf. Fügen Sie den Ordner statt seiner Dateien hinzu.',
  'cases.person-unknown': 'Von dieser Person ist nichts mehr gesichert. Laden Sie die Liste neu, und wählen Sie erneut.',
  'cases.nothing-to-hold': 'Alles, was die Verwahrer haben, steht bereits unter einem Legal Hold dieses Falls.',
  'cases.query-name-taken': 'Dieser Fall enthält bereits eine Suchanfrage mit diesem Namen.',
  'auditor-access.auditor-unknown':
    'Diese Person ist kein Prüfer der Organisation mehr. Wählen Sie eine andere, oder ändern Sie die Rolle unter Benutzer.',
  'auditor-access.access-over': 'Dieser Zugriff wäre bereits vorbei. Wählen Sie ein späteres Ende.',
  'auditor-access.nothing-found':
    'Es wird nichts gefunden, was ein Prüfer sehen darf. Wählen Sie einen anderen Fall oder eine andere gespeicherte Suche, oder ändern Sie die Suchanfrage.',
  'auditor-access.over': 'Dieser Zugriff ist bereits vorbei.',
  'content.audit-right-needed':
    'Dieser Zugriff steht Ihnen nicht offen: Er gehört Ihnen nicht, hat noch nicht begonnen, ist vorbei oder wurde beendet. Wenden Sie sich an die Person, die ihn erteilt hat.',
  'proxy-rights.already-exempt': 'Dieses Konto oder diese Gruppe ist bereits ausgenommen.',
  'proxy-rights.not-exempt': 'Diese Ausnahme ist beendet, oder ihr Ende wartet bereits auf Genehmigung.',
  'cases.content-right-needed':
    'Der Zugriff ist streng: Was ein Fall findet, öffnet sich nur Mitgliedern, die jemand anderes hinzugefügt hat. Bitten Sie einen anderen Besitzer oder Administrator, Sie aus dem Fall zu entfernen und wieder hinzuzufügen.',
  'reporting.too-long': 'Der Bericht hätte mehr als 20.000 Zeilen. Exportieren Sie stattdessen die Liste als XLSX oder CSV.',
  'compliance.no-words':
    'Aus dieser Version lässt sich kein Text lesen: Sie enthält keinen oder ist verschlüsselt, beschädigt oder zu groß. Laden Sie sie herunter, um sie anzusehen.',
  'compliance.plan-stopped':
    'Der Plan dieser Bereinigung wurde angehalten oder ist nicht fertig: Eine Version ließ sich nicht zurücklesen oder steht noch aus. Der Lauf nennt sie.',
  'reviews.name-taken': 'Dieser Fall hat bereits eine Prüfliste mit diesem Namen.',
  'reviews.too-many': 'Eine Prüfliste fasst höchstens 100.000 Elemente. Grenzen Sie die Suchanfrage ein, oder ziehen Sie eine Stichprobe.',
  'reviews.sets-full': 'Ein Fall fasst höchstens 200 Prüflisten.',
  'reviews.nothing-found': 'Es gibt nichts zu prüfen: Die Suchanfragen finden keine Elemente, oder alles ist bereits geprüft.',
  'reviews.decided-meanwhile':
    'Inzwischen hat jemand anderes über dieses Element entschieden. Sehen Sie sich die Entscheidung an, und entscheiden Sie dann erneut.',
  'reviews.threads-sought': 'In dieser Prüfliste wird bereits nach Unterhaltungen gesucht. Warten Sie, bis die Suche beendet ist.',
  'reviews.tag-taken': 'Dieser Fall hat bereits ein Tag mit diesem Namen.',
  'reviews.tags-full': 'Ein Fall fasst höchstens 50 Tags.',
  'reviews.notes-full': 'Ein Element fasst höchstens 200 Notizen.',
  'exports.not-ended': 'Der Export wird noch erstellt. Halten Sie ihn zuerst an.',
  'exports.not-ready': 'Dieser Export ist noch nicht fertig, fehlgeschlagen oder abgelaufen.',
  'exports.not-resumable': 'Nur ein Export, der fehlgeschlagen ist, angehalten wurde oder dem Elemente fehlen, kann fortgesetzt werden.',
  'import.file-not-whole': 'Teile der Datei fehlen. Laden Sie sie noch einmal hoch: Was schon da ist, wird nicht erneut gesendet.',
  'import.part-size': 'Dieser Teil der Datei hat nicht die angekündigte Größe.',
  'import.too-many-files': 'Es liegen schon 200 hochgeladene Dateien bereit. Löschen Sie die, die Sie nicht mehr brauchen.',
  'import.folder-refused':
    'E-Mails lassen sich nur aus Ordnern importieren, die die Einstellung HOLDFAST_IMPORT_ROOTS erlaubt. Dort gibt es diesen Ordner nicht.',
  'import.mailbox-unknown': 'Microsoft 365 kennt eines der Postfächer nicht, und es ist nichts davon gespeichert. Wählen Sie ein anderes.',
  'import.mailbox-exempt': 'Ein Archivauftrag nimmt eines der Postfächer aus. In dessen Archiv wird daher nichts abgelegt.',
  'receivers.one-each': 'Für diesen Mandanten gibt es bereits einen Empfänger. Ändern Sie diesen.',
  'receivers.location-stays': 'Der Speicherort eines Empfängers lässt sich nicht ändern, denn dort liegt, was er angenommen hat.',
  'receivers.has-unassigned':
    'Der Empfänger hat Nachrichten, die noch in keinem Archiv liegen. Ordnen Sie sie Postfächern zu, und entfernen Sie den Empfänger danach.',
  'documents.file-required': 'Bitte wählen Sie eine Datei aus.',
  'documents.pdf-only': 'Nur PDF-Dateien sind erlaubt.',
  'documents.name-refused': 'Der Dateiname enthält unzulässige Zeichen. Benennen Sie die Datei um, und laden Sie sie erneut hoch.',
  'documents.too-large': 'Die Datei ist größer als 3 MB.',
  'documents.content-mismatch': 'Die Dateiendung passt nicht zum Inhalt der Datei.',
  'documents.active-content':
    'Die Datei enthält Skripts, Formulare oder Anlagen, die andere Inhalte ausführen oder öffnen. Speichern Sie sie ohne diese, und laden Sie sie erneut hoch.',
  'documents.encrypted': 'Die Datei ist verschlüsselt. Entfernen Sie den Kennwortschutz, und laden Sie sie erneut hoch.',
  'documents.infected': 'Der Virenscanner hat in dieser Datei Schadsoftware gefunden. Die Datei wurde nicht gespeichert.',
  'documents.not-scanned':
    'Der Virenscanner konnte diese Datei nicht prüfen, daher wurde sie nicht gespeichert. Versuchen Sie es später erneut, oder wenden Sie sich an Ihren Administrator.',
  'documents.name-taken': 'Eine Datei mit diesem Namen ist bereits vorhanden. Benennen Sie die Datei um, oder löschen Sie die vorhandene.',
  'documents.quota': 'Für Berichte und Dokumente ist kein Speicherplatz mehr frei. Löschen Sie Dateien, die Sie nicht mehr benötigen.',
  'documents.no-location': 'Dateien werden an einem Speicherort abgelegt, und es gibt noch keinen. Erstellen Sie zuerst einen Speicherort.',
  'documents.not-shown': 'Diese Datei kann hier nicht angezeigt werden. Laden Sie sie herunter, um sie zu lesen.',
  'archive.no-proof':
    'Das Überwachungsprotokoll enthält keinen Eintrag darüber, wann diese Nachricht archiviert wurde. Spätere Archivierungen haben einen.',
  'content.item-unknown': 'Dieses Element ist in diesem Wiederherstellungspunkt nicht enthalten.',
  'content.no-conversation':
    'Dieses Element gehört zu keinem Chat oder Kanal, daher gibt es keine umgebenden Nachrichten. Öffnen Sie das Element selbst.',
  'content.not-shown': 'Diese Datei kann hier nicht angezeigt werden. Laden Sie sie herunter, um sie anzusehen.',
  'content.ticket-expired': 'Diese Ansicht ist abgelaufen. Bitte öffnen Sie das Element erneut.',
  'content.access-unchanged': 'Diese Regel gilt bereits.',
  'content.read-right-needed':
    'Sie dürfen diesen Inhalt nicht lesen. Sie benötigen ein Stellvertreterrecht mit der Berechtigung „Lesen und suchen“. Wenden Sie sich an eine Person mit der Rolle Besitzer oder Administrator.',
  'content.export-right-needed':
    'Sie dürfen diesen Inhalt nicht herunterladen. Sie benötigen ein Stellvertreterrecht mit der Berechtigung „Herunterladen“. Wenden Sie sich an eine Person mit der Rolle Besitzer oder Administrator.',
  'content.restore-right-needed':
    'Sie dürfen diesen Inhalt nicht an einem anderen Ort wiederherstellen. Sie benötigen ein Stellvertreterrecht mit der Berechtigung „An anderem Ort wiederherstellen“. Wenden Sie sich an eine Person mit der Rolle Besitzer oder Administrator, oder stellen Sie am ursprünglichen Ort wieder her.',
  'content.private':
    'Hier ist eine Nachricht enthalten, die der Besitzer des Postfachs als privat markiert hat. Sie lässt sich nur mit einem Stellvertreterrecht öffnen, das zwei Personen für private Nachrichten erteilt haben.',
  'archive.not-your-mailbox': 'Nur der Besitzer eines Postfachs kann dessen Nachrichten als privat markieren.',
  'content.exempt':
    'Diese Person ist ausgenommen: Niemand sonst öffnet ihre Inhalte, weder aufgrund einer Rolle noch eines Stellvertreterrechts. Am ursprünglichen Ort lassen sie sich wiederherstellen. Wer ausgenommen ist, steht unter Stellvertreterrechte.',
  'content.outside-period':
    'Ihr Stellvertreterrecht gilt nur für Elemente eines bestimmten Zeitraums. Wählen Sie einzelne Elemente dieses Zeitraums aus oder bitten Sie eine Person mit der Rolle Besitzer oder Administrator um ein weiteres Recht.',
};
