import { Button, Link, makeStyles, SearchBox, tokens, typographyStyles } from '@fluentui/react-components';
import { PrintRegular } from '@fluentui/react-icons';
import type { Article, ArticleGroup, ArticleId, Manual } from '@holdfast/phrases/manual';
import { articleGroups } from '@holdfast/phrases/manual';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Procedures } from '../procedures/index.ts';
import { WithTenant } from '../tenants/index.ts';
import { ArticleView } from './article-view.tsx';
import { findArticles, useManual } from './manual.ts';

const useStyles = makeStyles({
  contents: { listStyleType: 'none', margin: 0, padding: 0, columns: '2 32ch' },
  group: { ...typographyStyles.subtitle2, margin: `${tokens.spacingVerticalM} 0 0` },
  search: { width: '100%', maxWidth: '48ch' },
});

const tabs = ['manual', 'procedure'] as const;

/** `/documentation`: the manual of this version, in both languages, searchable, printable; and the procedure documentation. */
export default function DocumentationPage(): ReactElement {
  const text = useText();
  const mayReadProcedures = useMay('audit.read');
  const [parameters, setParameters] = useSearchParams();
  const tab = tabs.find((name) => name === parameters.get('tab') && mayReadProcedures) ?? 'manual';
  return (
    <Page title={text('shell.documentation')} lead={text(tab === 'manual' ? 'help.documentationLead' : 'procedures.lead')}>
      {mayReadProcedures && (
        <Tabs
          names={tabs}
          selected={tab}
          word={(name) => text(name === 'manual' ? 'procedures.manualTab' : 'procedures.tab')}
          onSelect={(name) => setParameters(name === 'manual' ? {} : { tab: name })}
        />
      )}
      {tab === 'manual' ? <ManualPart /> : <WithTenant>{({ tenantId }) => <Procedures tenantId={tenantId} />}</WithTenant>}
    </Page>
  );
}

/** The manual, with its search and its contents. */
function ManualPart(): ReactElement {
  const text = useText();
  const styles = useStyles();
  const manual = useManual();
  const [parameters, setParameters] = useSearchParams();
  const search = parameters.get('search') ?? '';
  const setSearch = (value: string): void => setParameters(value === '' ? {} : { search: value }, { replace: true });
  const found = manual === undefined ? [] : findArticles(manual, search);
  useScrollToArticle(manual);
  return (
    <>
      <Row spread>
        <SearchBox
          className={styles.search}
          aria-label={text('help.searchManual')}
          placeholder={text('help.searchManual')}
          dismiss={{ 'aria-label': text('kit.clearSearch') }}
          value={search}
          onChange={(_, data) => setSearch(data.value)}
        />
        <Button icon={<PrintRegular />} onClick={() => globalThis.print()}>
          {text('help.print')}
        </Button>
      </Row>
      {manual === undefined && <LoadingShape rows={8} />}
      {manual !== undefined && found.length === 0 && (
        <EmptyState text={text('help.nothingFound')} action={<Button onClick={() => setSearch('')}>{text('help.clearSearch')}</Button>} />
      )}
      {manual !== undefined && search === '' && <Contents manual={manual} />}
      <Stack loose>
        {found.map(([id, article]) => (
          <ArticleView key={id} id={id} article={article} />
        ))}
      </Stack>
    </>
  );
}

/** The browser looked for the article before it was there. */
function useScrollToArticle(manual: Manual | undefined): void {
  const { hash } = useLocation();
  useEffect(() => {
    if (manual !== undefined && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash, manual]);
}

function Contents({ manual }: { readonly manual: Manual }): ReactElement {
  const text = useText();
  return (
    <nav aria-label={text('help.contents')}>
      {articleGroups.map((group) => (
        <ContentsOf key={group} title={manual.groups[group]} articles={findArticles(manual, '').filter(isIn(group))} />
      ))}
    </nav>
  );
}

type Entry = readonly [ArticleId, Article];
const isIn =
  (group: ArticleGroup) =>
  ([, article]: Entry): boolean =>
    article.group === group;

function ContentsOf({ title, articles }: { readonly title: string; readonly articles: readonly Entry[] }): ReactElement {
  const styles = useStyles();
  return (
    <>
      <h2 className={styles.group}>{title}</h2>
      <ul className={styles.contents}>
        {articles.map(([id, article]) => (
          <li key={id}>
            <Link href={`#${id}`}>{article.title}</Link>
          </li>
        ))}
      </ul>
    </>
  );
}
