import { Combobox, Option, Tag, TagGroup } from '@fluentui/react-components';
import { archive } from '@holdfast/contract/archive';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useController } from 'react-hook-form';
import { usePortal } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { nameWithAddress } from '../../i18n/name-with-address.ts';
import { useText } from '../../i18n/use-text.ts';
import { FieldFrame } from '../../ui/field-frame.tsx';
import { faultText } from '../../ui/form.tsx';
import type { ChosenMailbox } from './policy-draft.ts';

const shownChoices = 50;
const pauseMs = 300;

/** The archived mailboxes with a text in their name or address, as the server finds them when the reader pauses. */
function useFound(tenantId: string, typed: string): readonly ChosenMailbox[] {
  const { clock } = usePortal();
  const [search, setSearch] = useState('');
  useEffect(() => clock.after(pauseMs, () => setSearch(typed.trim())), [clock, typed]);
  const query = { limit: shownChoices, sort: 'name', ...(search === '' ? {} : { search }) } as const;
  const found = useQuery({ ...read(archive.mailboxes, { params: { tenantId }, query, quiet: true }), placeholderData: keepPreviousData });
  return (found.data?.items ?? []).map(({ mailboxId, name, email }) => ({ mailboxId, name, email }));
}

const wordsOf = ({ name, email }: ChosenMailbox): string => nameWithAddress({ name, address: email });

/** Archived mailboxes, chosen one after the other from a list that the server searches. */
export function MailboxField({ tenantId, name }: { readonly tenantId: string; readonly name: string }): ReactElement {
  const text = useText();
  const { field, fieldState } = useController({ name });
  const [typed, setTyped] = useState('');
  const chosen = field.value as readonly ChosenMailbox[];
  const ids = new Set(chosen.map(({ mailboxId }) => mailboxId));
  const choices = useFound(tenantId, typed).filter(({ mailboxId }) => !ids.has(mailboxId));
  return (
    <FieldFrame
      label={text('retention.mailboxes')}
      hint={text('retention.mailboxesHint')}
      fault={faultText(fieldState.error?.message, text)}
      required
    >
      {(control) => (
        <div>
          <Combobox
            {...control}
            ref={field.ref}
            name={name}
            value={typed}
            selectedOptions={[]}
            freeform
            onBlur={field.onBlur}
            onChange={(event) => setTyped(event.target.value)}
            onOptionSelect={(_event, { optionValue }) => {
              const mailbox = choices.find(({ mailboxId }) => mailboxId === optionValue);
              if (mailbox !== undefined) field.onChange([...chosen, mailbox]);
              setTyped('');
            }}
          >
            {choices.map((mailbox) => (
              <Option key={mailbox.mailboxId} value={mailbox.mailboxId} text={mailbox.name}>
                {wordsOf(mailbox)}
              </Option>
            ))}
          </Combobox>
          <TagGroup
            aria-label={text('retention.mailboxes')}
            onDismiss={(_event, { value }) => field.onChange(chosen.filter(({ mailboxId }) => mailboxId !== value))}
          >
            {chosen.map((mailbox) => (
              <Tag
                key={mailbox.mailboxId}
                value={mailbox.mailboxId}
                dismissible
                dismissIcon={{ 'aria-label': text('retention.removeMailbox', { name: mailbox.name }) }}
              >
                {wordsOf(mailbox)}
              </Tag>
            ))}
          </TagGroup>
        </div>
      )}
    </FieldFrame>
  );
}
