import { Card, CardHeader, Link, makeStyles, SearchBox, Subtitle2, tokens, typographyStyles } from '@fluentui/react-components';
import { errors } from '@holdfast/contract/errors';
import type { ErrorCode } from '@holdfast/contract/errors';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { CardGrid, Row, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { findArticles, useManual } from './manual.ts';

const useStyles = makeStyles({
  heading: { ...typographyStyles.subtitle1, margin: 0 },
  search: { width: '100%', maxWidth: '48ch' },
  codes: {
    margin: 0,
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(36ch, 100%), 1fr))',
    gap: tokens.spacingHorizontalL,
  },
  code: { ...typographyStyles.caption1, fontFamily: tokens.fontFamilyMonospace, color: tokens.colorNeutralForeground2 },
  message: { margin: 0 },
});

/** `/helpcenter`: answers by task, the state of the services, error codes, and the way to support. */
export default function HelpCenterPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('shell.helpCenter')} lead={text('help.helpCenterLead')}>
      <Stack loose>
        <Questions />
        <Services />
        <ErrorCodes />
      </Stack>
    </Page>
  );
}

function Questions(): ReactElement {
  const text = useText();
  const styles = useStyles();
  const manual = useManual();
  return (
    <Stack>
      <h2 className={styles.heading}>{text('help.howDoI')}</h2>
      {manual === undefined && <LoadingShape rows={4} />}
      <CardGrid size="roomy">
        {manual !== undefined &&
          findArticles(manual, '').map(([id, article]) => (
            <Card key={id}>
              <CardHeader header={<Subtitle2 as="h3">{article.question}</Subtitle2>} />
              <RouterLink to={`/documentation#${id}`}>{`${text('help.readMore')}: ${article.title}`}</RouterLink>
            </Card>
          ))}
      </CardGrid>
    </Stack>
  );
}

/** The answer is read to its end: one left unread keeps its connection. */
async function askReadiness(signal: AbortSignal): Promise<boolean> {
  const answer = await fetch('/readyz', { signal });
  await answer.text();
  return answer.ok;
}

/** Whether the server is ready to work; asked of the same address that a load balancer asks. */
function Services(): ReactElement {
  const text = useText();
  const styles = useStyles();
  const ready = useQuery({
    queryKey: ['readyz'],
    queryFn: async ({ signal }) => await askReadiness(signal),
    retry: false,
    meta: { quiet: true },
  });
  const isReady = ready.data === true;
  return (
    <Stack>
      <h2 className={styles.heading}>{text('help.services')}</h2>
      {!ready.isPending && (
        <Row>
          <StatusBadge status={isReady ? 'reachable' : 'unreachable'} />
          <span>{text(isReady ? 'help.serviceReady' : 'help.serviceNotReady')}</span>
        </Row>
      )}
      <Row>
        <RouterLink to="/account/support">{text('shell.support')}</RouterLink>
        <Link href="/apollo/docs" target="_blank" rel="noopener noreferrer">
          {`API (${text('shell.newTab')})`}
        </Link>
      </Row>
    </Stack>
  );
}

/** What a message takes in is known only when it is shown. */
const withoutGaps = (message: string): string => message.replaceAll(/\{\{\w+\}\}/g, '…');

function ErrorCodes(): ReactElement {
  const text = useText();
  const styles = useStyles();
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = (Object.keys(errors) as ErrorCode[])
    .map((code) => ({ code, message: withoutGaps(text(`errors.${code}`)) }))
    .filter(({ code, message }) => `${code} ${message}`.toLowerCase().includes(wanted));
  return (
    <Stack>
      <h2 className={styles.heading}>{text('help.errorCodes')}</h2>
      <p className={styles.message}>{text('help.errorCodesLead')}</p>
      <SearchBox
        className={styles.search}
        aria-label={text('help.searchCodes')}
        placeholder={text('help.searchCodes')}
        dismiss={{ 'aria-label': text('kit.clearSearch') }}
        value={search}
        onChange={(_, data) => setSearch(data.value)}
      />
      {found.length === 0 && <p className={styles.message}>{text('kit.noMatches')}</p>}
      <dl className={styles.codes}>
        {found.map(({ code, message }) => (
          <div key={code}>
            <dt className={styles.code}>{code}</dt>
            <dd className={styles.message}>{message}</dd>
          </div>
        ))}
      </dl>
    </Stack>
  );
}
