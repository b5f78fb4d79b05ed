import type { Article, ArticleId, Block, Manual } from '@holdfast/phrases/manual';
import { articleIds } from '@holdfast/phrases/manual';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

const load = {
  en: () => import('@holdfast/phrases/en/manual'),
  de: () => import('@holdfast/phrases/de/manual'),
};

/** The manual in the language of the moment; each language is a chunk of its own. */
export function useManual(): Manual | undefined {
  const { i18n } = useTranslation();
  const language = i18n.language === 'de' ? 'de' : 'en';
  const { data } = useQuery({
    queryKey: ['manual', language],
    queryFn: async () => (await load[language]()).manual,
    staleTime: Infinity,
  });
  return data;
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'note':
    case 'screenshot':
      return block.text;
    case 'diagram':
      return [block.text, ...block.words].join(' ');
    case 'steps':
    case 'list':
      return block.items.join(' ');
    case 'table':
      return [block.head, ...block.rows].flat().join(' ');
  }
}

/** Articles that hold every word of the search, in the manual's order; all of them for an empty one. */
export function findArticles(manual: Manual, search: string): (readonly [ArticleId, Article])[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return articleIds
    .map((id) => [id, manual.articles[id]] as const)
    .filter(([, article]) => {
      const text = [article.title, article.question, ...article.blocks.map(textOf)].join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    });
}
