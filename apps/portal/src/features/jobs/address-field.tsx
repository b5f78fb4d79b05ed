import { Input } from '@fluentui/react-components';
import type { Candidate } from '@holdfast/contract/discovery';
import type { SourceReference } from '@holdfast/contract/jobs';
import { useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { FieldFrame } from '../../ui/field-frame.tsx';
import type { PickerKind } from './picker-kind.ts';

/** Addresses of sites differ in case and in the slash at the end without meaning another site. */
const plain = (address: string): string => address.trim().toLowerCase().replace(/\/+$/, '');

const doubled: Readonly<Record<PickerKind, PhraseKey>> = {
  users: 'validation.selected',
  groups: 'validation.selected',
  teams: 'validation.selected',
  members: 'validation.selected',
  sites: 'validation.siteTaken',
};

interface Looked {
  readonly found: readonly SourceReference[];
  /** What could not be added stays in the field. */
  readonly left: readonly string[];
  readonly faults: readonly PhraseKey[];
}

export interface AddressFieldProps {
  readonly kind: PickerKind;
  readonly chosen: readonly SourceReference[];
  /** Asks the server for those whose name or address has this text. */
  readonly search: (address: string) => Promise<readonly Candidate[]>;
  readonly onAdd: (found: readonly SourceReference[]) => void;
}

/** Adds what has the typed address, without looking for it in the list: Enter confirms, commas separate several. */
export function AddressField({ kind, chosen, search, onAdd }: AddressFieldProps): ReactElement {
  const text = useText();
  const [typed, setTyped] = useState('');
  const [faults, setFaults] = useState<readonly PhraseKey[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setIsBusy(true);
    try {
      const looked = await lookUp(typed, { kind, chosen, search });
      if (looked.found.length > 0) onAdd(looked.found);
      setTyped(looked.left.join(', '));
      setFaults(looked.faults);
    } catch {
      setFaults(['failures.retrieve']);
    } finally {
      setIsBusy(false);
    }
  };
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (typed.trim() !== '' && !isBusy) void confirm();
  };
  const isSite = kind === 'sites';
  const fault = [...new Set(faults)].map((key) => text(key)).join(' ');
  return (
    <FieldFrame
      label={text(isSite ? 'jobs.siteAddress' : 'jobs.byAddress')}
      hint={text(isSite ? 'jobs.siteAddressHint' : 'jobs.byAddressHint')}
      fault={fault === '' ? undefined : fault}
    >
      <Input
        value={typed}
        readOnly={isBusy}
        onChange={(_event, { value }) => {
          setTyped(value);
          setFaults([]);
        }}
        onKeyDown={handleKey}
      />
    </FieldFrame>
  );
}

async function lookUp(typed: string, { kind, chosen, search }: Pick<AddressFieldProps, 'kind' | 'chosen' | 'search'>): Promise<Looked> {
  const found: SourceReference[] = [];
  const left: string[] = [];
  const faults: PhraseKey[] = [];
  const entries = typed
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const entry of entries) {
    const fault = await lookUpOne(entry);
    if (fault === null) continue;
    faults.push(fault);
    if (fault !== doubled[kind]) left.push(entry);
  }
  return { found, left, faults };

  async function lookUpOne(entry: string): Promise<PhraseKey | null> {
    const has = ({ address }: { readonly address: string }): boolean => plain(address) === plain(entry);
    if (chosen.some(has) || found.some(has)) return doubled[kind];
    if (kind === 'sites' && !URL.canParse(entry)) return 'failures.invalidUrl';
    const candidate = (await search(entry)).find(has);
    if (candidate === undefined) return 'jobs.addressUnknown';
    found.push({ id: candidate.id, name: candidate.name, address: candidate.address });
    return null;
  }
}
