import type { Source } from '@holdfast/contract/discovery';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { RadioField, SelectField } from '../../ui/choice-fields.tsx';
import { TextField } from '../../ui/fields.tsx';
import { SourcePicker } from '../jobs/index.ts';
import type { SourcePlace } from '../content/index.ts';
import type { TargetDraft } from './target-draft.ts';

const formats: Readonly<Record<Source['kind'], readonly string[]>> = {
  mailbox: ['eml', 'mbox', 'ics', 'vcf', 'json'],
  drive: ['zip'],
  site: ['zip'],
  team: ['zip', 'html', 'json'],
  chat: ['html', 'json'],
};
const pickers = { mailbox: 'users', drive: 'users', site: 'sites', team: 'teams', chat: 'users' } as const;

export interface TargetFieldsProps {
  readonly place: SourcePlace;
  readonly source: Source;
  readonly target: TargetDraft['target'];
  /** One version of a file, which its preview gives as a file already. */
  readonly isVersion: boolean;
}

/** The target, and what the chosen one needs to know. */
export function TargetFields({ place, source, target, isVersion }: TargetFieldsProps): ReactElement {
  const text = useText();
  const mayElsewhere = useMay('restore.elsewhere');
  const elsewhere = [
    { value: 'elsewhere', label: text('restore.targetElsewhere'), hint: text('restore.targetElsewhereHint') },
    ...(isVersion ? [] : [{ value: 'download', label: text('restore.targetDownload') }]),
  ];
  const rehearsal = { value: 'rehearsal', label: text('restore.targetRehearsal'), hint: text('restore.targetRehearsalHint') };
  return (
    <>
      <RadioField
        name="target"
        label={text('restore.target')}
        choices={[
          { value: 'original', label: text('restore.targetOriginal'), hint: text('restore.targetOriginalHint') },
          { value: 'folder', label: text('restore.targetFolder') },
          ...(mayElsewhere ? elsewhere : []),
          ...(isVersion ? [] : [rehearsal]),
        ]}
      />
      {target === 'folder' && <TextField name="folder" label={text('restore.folderName')} required />}
      {target === 'elsewhere' && (
        <SourcePicker
          name="elsewhere"
          kind={pickers[source.kind]}
          tenantId={place.tenantId}
          locationId={place.locationId}
          label={text('restore.chooseTarget')}
          isSingle
          isTarget
        />
      )}
      {target === 'download' && (
        <SelectField
          name="format"
          label={text('restore.format')}
          choices={formats[source.kind].map((value) => ({ value, label: value.toUpperCase() }))}
        />
      )}
    </>
  );
}
