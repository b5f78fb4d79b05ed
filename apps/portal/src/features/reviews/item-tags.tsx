import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import type { ReviewItem } from '@holdfast/contract/review-values';
import { reviewMarks, type ReviewTag, type TagColour } from '@holdfast/contract/review-marks';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { Row } from '../../ui/layout.tsx';
import type { SetParams } from './reviews.queries.ts';

export const tagLooks: Readonly<Record<TagColour, string>> = {
  blue: tokens.colorPaletteBlueForeground2,
  green: tokens.colorPaletteGreenForeground1,
  yellow: tokens.colorPaletteYellowForeground2,
  red: tokens.colorPaletteRedForeground1,
  purple: tokens.colorPaletteGrapeForeground2,
  grey: tokens.colorNeutralForeground3,
};

/** The digits after those that decide: one for each of the first tags. */
export const tagDigits = ['4', '5', '6', '7', '8', '9'] as const;

const useStyles = makeStyles({
  mark: {
    display: 'inline-block',
    width: '10px',
    height: '10px',
    marginInlineEnd: '6px',
    borderRadius: '5px',
    flexShrink: 0,
    // Keeps it apart from a pressed button of a like colour.
    boxShadow: `0 0 0 1px ${tokens.colorNeutralBackground1}`,
  },
});

/** A tag's colour beside its name: the name says it without. */
export function TagMark({ colour }: { readonly colour: TagColour }): ReactElement {
  return <span className={useStyles().mark} style={{ backgroundColor: tagLooks[colour] }} aria-hidden />;
}

export interface Tagging {
  /** The tags of an item as this reader knows them. */
  readonly of: (item: ReviewItem) => readonly string[];
  readonly toggle: (item: ReviewItem, tagId: string) => void;
}

/** Tags of this reader, shown beside those that were listed as soon as they are kept. */
export function useTagging(params: SetParams): Tagging {
  const tag = useChange(reviewMarks.tag);
  const untag = useChange(reviewMarks.untag);
  const [known, setKnown] = useState<ReadonlyMap<number, readonly string[]>>(new Map());
  const of = (item: ReviewItem): readonly string[] => known.get(item.position) ?? item.tags;
  return {
    of,
    toggle(item, tagId) {
      const { position } = item;
      const change = of(item).includes(tagId) ? untag : tag;
      change.mutate(
        { params: { ...params, position, tagId } },
        { onSuccess: ({ tags }) => setKnown((before) => new Map([...before, [position, tags]])) },
      );
    },
  };
}

interface TagsProps {
  readonly item: ReviewItem;
  readonly tags: readonly ReviewTag[];
  readonly tagging: Tagging;
}

/** The tags of the case, those of the item pressed. */
export function ItemTags({ item, tags, tagging }: TagsProps): ReactElement | null {
  const text = useText();
  const given = tagging.of(item);
  if (tags.length === 0) return null;
  return (
    <div role="group" aria-label={text('reviews.tags.title')}>
      <Row>
        {tags.map((tag, at) => (
          <Button
            key={tag.tagId}
            size="small"
            appearance={given.includes(tag.tagId) ? 'primary' : 'secondary'}
            aria-pressed={given.includes(tag.tagId)}
            aria-keyshortcuts={tagDigits[at]}
            onClick={() => tagging.toggle(item, tag.tagId)}
          >
            <TagMark colour={tag.colour} />
            {tag.name}
            {tagDigits[at] !== undefined && <Text size={100}>&nbsp;{tagDigits[at]}</Text>}
          </Button>
        ))}
      </Row>
    </div>
  );
}
