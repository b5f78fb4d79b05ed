import { Combobox, Field, Option } from '@fluentui/react-components';
import { compliance } from '@holdfast/contract/compliance';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { Row } from '../../ui/layout.tsx';
import { useReportChoice } from './report-choices.tsx';

/** What a report is narrowed to, as its reads ask for it. */
export interface ReportScope {
  readonly siteId?: string;
  readonly ownerId?: string;
}

/** The site and the owner that the address names. */
export function useReportScope(): ReportScope {
  const [site] = useReportChoice('site');
  const [owner] = useReportChoice('owner');
  return { ...(site === '' ? {} : { siteId: site }), ...(owner === '' ? {} : { ownerId: owner }) };
}

/** Which site or OneDrive a report is about, and whose files; everything unless one is chosen. */
export function ScopeChoices({ tenantId }: { readonly tenantId: string }): ReactElement {
  return (
    <Row>
      <SiteChoice tenantId={tenantId} />
      <OwnerChoice tenantId={tenantId} />
    </Row>
  );
}

const shownChoices = 50;
const pauseMs = 300;
const params = (tenantId: string) => ({ params: { tenantId }, quiet: true }) as const;

function SiteChoice({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const [siteId, setSite] = useReportChoice('site');
  const [search, setSearch] = useState('');
  const query = { limit: shownChoices, sort: 'name', ...(search === '' ? {} : { search }) } as const;
  const found = useQuery({ ...read(compliance.sites, { ...params(tenantId), query }), placeholderData: keepPreviousData });
  const chosen = useQuery({ ...read(compliance.sites, { ...params(tenantId), query: { limit: 1, siteId } }), enabled: siteId !== '' });
  return (
    <NamedChoice
      label={text('compliance.site')}
      unset={text('compliance.anySite')}
      chosen={siteId === '' ? '' : (chosen.data?.items[0]?.name ?? '')}
      choices={(found.data?.items ?? []).map((one) => ({ value: one.siteId, name: one.name, detail: one.url }))}
      onSearch={setSearch}
      onChoose={setSite}
    />
  );
}

function OwnerChoice({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const [ownerId, setOwner] = useReportChoice('owner');
  const [search, setSearch] = useState('');
  const query = { limit: shownChoices, sort: 'name', ...(search === '' ? {} : { search }) } as const;
  const found = useQuery({ ...read(compliance.owners, { ...params(tenantId), query }), placeholderData: keepPreviousData });
  const chosen = useQuery({ ...read(compliance.owners, { ...params(tenantId), query: { limit: 1, ownerId } }), enabled: ownerId !== '' });
  return (
    <NamedChoice
      label={text('compliance.fileOwner')}
      unset={text('compliance.anyOwner')}
      chosen={ownerId === '' ? '' : (chosen.data?.items[0]?.name ?? ownerId)}
      choices={(found.data?.items ?? []).map((one) => ({ value: one.ownerId, name: one.name, detail: one.address }))}
      onSearch={setSearch}
      onChoose={setOwner}
    />
  );
}

interface NamedChoiceProps {
  readonly label: string;
  /** What is said while nothing is chosen. */
  readonly unset: string;
  /** The name of what is chosen; empty without a choice. */
  readonly chosen: string;
  readonly choices: readonly { readonly value: string; readonly name: string; readonly detail: string }[];
  readonly onSearch: (search: string) => void;
  readonly onChoose: (value: string) => void;
}

/** One of many by its name: the server looks for what is typed. */
function NamedChoice({ label, unset, chosen, choices, onSearch, onChoose }: NamedChoiceProps): ReactElement {
  const { clock } = usePortal();
  const [typed, setTyped] = useState<string | null>(null);
  useEffect(() => clock.after(pauseMs, () => onSearch(typed?.trim() ?? '')), [clock, onSearch, typed]);
  return (
    <Field label={label}>
      <Combobox
        value={typed ?? chosen}
        placeholder={unset}
        selectedOptions={[]}
        onChange={(event) => setTyped(event.target.value)}
        onOpenChange={(_event, { open }) => (open ? undefined : setTyped(null))}
        onOptionSelect={(_event, { optionValue = '' }) => {
          setTyped(null);
          onChoose(optionValue);
        }}
      >
        <Option value="" text={unset}>
          {unset}
        </Option>
        {choices.map(({ value, name, detail }) => (
          <Option key={value} value={value} text={name}>
            {detail === '' ? name : `${name} (${detail})`}
          </Option>
        ))}
      </Combobox>
    </Field>
  );
}
