import { useTranslation } from 'react-i18next';

import { Bar } from './Bar';
import { formatSize } from './sizes';

const NEARLY_FULL = 85;
const FULL = 95;

/** How much of a size is used, as a bar and in words. */
export function CapacityBar({ used, size }: { used: number; size: number }) {
  const { t, i18n } = useTranslation();
  const percent = size ? Math.round((100 * used) / size) : 0;
  const condition = percent >= FULL ? 'bad' : percent >= NEARLY_FULL ? 'warning' : 'normal';
  const text = t('{{used}} of {{size}}', {
    used: formatSize(used, i18n.language),
    size: formatSize(size, i18n.language),
  });
  return <Bar percent={percent} condition={condition} text={text} />;
}
