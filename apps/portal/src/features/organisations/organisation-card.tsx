import { Button, Card, Subtitle2 } from '@fluentui/react-components';
import { organisationBody, organisations } from '@holdfast/contract/members';
import type { ResponseOf } from '@holdfast/contract/route';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useChosenWorker, useMay } from '../../api/portal-context.ts';
import { read, useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CheckField, SelectField } from '../../ui/choice-fields.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Row } from '../../ui/layout.tsx';

type Organisation = ResponseOf<typeof organisations.list>['items'][number];

/** Name, time zone and settings of the chosen organisation, for its owners. */
export function OrganisationCard(): ReactElement | null {
  const chosen = useChosenWorker();
  const may = useMay('organisation.manage');
  const list = useQuery({ ...read(organisations.list, { quiet: true }), enabled: may });
  const own = list.data?.items.find((one) => one.organisationId === chosen?.clientId);
  return may && own !== undefined ? <OrganisationForm key={own.organisationId} organisation={own} /> : null;
}

function OrganisationForm({ organisation }: { readonly organisation: Organisation }): ReactElement {
  const text = useText();
  const update = useChange(organisations.update, { success: 'successes.organisationUpdated' });
  const { organisationId, name, timeZone, notifyContentAccess, reportLanguage, mailReports } = organisation;
  const form = useSchemaForm(organisationBody, { name, timeZone: timeZone ?? undefined, notifyContentAccess, reportLanguage, mailReports });
  return (
    <Card>
      <Subtitle2 as="h2">{text('members.organisation')}</Subtitle2>
      <Form
        form={form}
        label={text('members.organisation')}
        onSubmit={(body) => update.mutate({ params: { organisationId }, body }, { onSuccess: () => form.reset(body) })}
      >
        <TextField name="name" label={text('common.name')} autoComplete="organization" />
        <TextField name="timeZone" label={text('members.timeZone')} hint={text('members.timeZoneHint')} placeholder="UTC" isOptional />
        <CheckField name="notifyContentAccess" label={text('members.notifyContentAccess')} hint={text('members.notifyContentAccessHint')} />
        <SelectField
          name="reportLanguage"
          label={text('members.reportLanguage')}
          choices={[
            { value: 'en', label: text('periodReports.english') },
            { value: 'de', label: text('periodReports.german') },
          ]}
        />
        <CheckField name="mailReports" label={text('members.mailReports')} hint={text('members.mailReportsHint')} />
        <Row>
          <Button type="submit" disabledFocusable={update.isPending}>
            {text('common.save')}
          </Button>
        </Row>
      </Form>
    </Card>
  );
}
