import {
  Button,
  Checkbox,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  SpinButton,
  tokens,
} from '@fluentui/react-components';
import { ArrowDownRegular, ArrowUpRegular } from '@fluentui/react-icons';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { defaultLayout, moved } from './column-layout.ts';
import type { ColumnLayout } from './column-layout.ts';
import type { Column } from './types.ts';
import { useReturnFocus } from '../use-return-focus.ts';

const useStyles = makeStyles({
  row: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS },
  name: { flexGrow: 1, minWidth: 0 },
  width: { width: '96px' },
});

export interface ColumnDialogProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly layout: ColumnLayout;
  readonly onChange: (layout: ColumnLayout) => void;
  readonly onClose: () => void;
}

/** Chooses, orders and sizes columns without dragging anything. */
export function ColumnDialog<Row>({ columns, layout, onChange, onClose }: ColumnDialogProps<Row>): ReactElement {
  useReturnFocus();
  const text = useText();
  const byId = new Map(columns.map((column) => [column.id, column]));
  const missing = columns.map((column) => column.id).filter((id) => !layout.order.includes(id));
  const order = [...layout.order.filter((id) => byId.has(id)), ...missing];
  return (
    <Dialog open onOpenChange={(_event, { open }) => (open ? undefined : onClose())}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{text('kit.columnsTitle')}</DialogTitle>
          <DialogContent>
            {order.map((id, position) => {
              const column = byId.get(id);
              return column === undefined ? null : (
                <ColumnRow
                  key={id}
                  title={column.title}
                  isFixed={position === 0}
                  isShown={!layout.hidden.includes(id)}
                  width={layout.widths[id] ?? column.width ?? 160}
                  onShow={(shown) =>
                    onChange({ ...layout, order, hidden: shown ? layout.hidden.filter((one) => one !== id) : [...layout.hidden, id] })
                  }
                  onMove={(step) => onChange({ ...layout, order: moved(order, id, step) })}
                  onWidth={(width) => onChange({ ...layout, order, widths: { ...layout.widths, [id]: width } })}
                />
              );
            })}
          </DialogContent>
          <DialogActions>
            <Button onClick={() => onChange({ ...defaultLayout(columns), pageSize: layout.pageSize })}>{text('kit.resetColumns')}</Button>
            <Button appearance="primary" onClick={onClose}>
              {text('common.close')}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}

interface ColumnRowProps {
  readonly title: string;
  /** The name column stays where it is. */
  readonly isFixed: boolean;
  readonly isShown: boolean;
  readonly width: number;
  readonly onShow: (shown: boolean) => void;
  readonly onMove: (step: -1 | 1) => void;
  readonly onWidth: (width: number) => void;
}

function ColumnRow({ title, isFixed, isShown, width, onShow, onMove, onWidth }: ColumnRowProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  return (
    <div className={styles.row}>
      <span className={styles.name}>
        <Checkbox
          label={title}
          aria-label={text('kit.showColumn', { column: title })}
          checked={isShown}
          disabled={isFixed}
          onChange={(_event, { checked }) => onShow(checked === true)}
        />
      </span>
      <SpinButton
        className={styles.width}
        aria-label={text('kit.columnWidth', { column: title })}
        value={width}
        min={40}
        max={2_000}
        step={20}
        onChange={(_event, { value, displayValue }) => {
          const next = value ?? Number(displayValue);
          if (next >= 40 && next <= 2_000) onWidth(next);
        }}
      />
      <Button
        appearance="subtle"
        icon={<ArrowUpRegular />}
        disabled={isFixed}
        aria-label={text('kit.moveUp', { column: title })}
        onClick={() => onMove(-1)}
      />
      <Button
        appearance="subtle"
        icon={<ArrowDownRegular />}
        disabled={isFixed}
        aria-label={text('kit.moveDown', { column: title })}
        onClick={() => onMove(1)}
      />
    </div>
  );
}
