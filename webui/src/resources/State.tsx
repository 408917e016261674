import BanIcon from '@patternfly/react-icons/dist/esm/icons/ban-icon';
import CheckCircleIcon from '@patternfly/react-icons/dist/esm/icons/check-circle-icon';
import ExclamationCircleIcon from '@patternfly/react-icons/dist/esm/icons/exclamation-circle-icon';
import ExclamationTriangleIcon from '@patternfly/react-icons/dist/esm/icons/exclamation-triangle-icon';
import InProgressIcon from '@patternfly/react-icons/dist/esm/icons/in-progress-icon';
import QuestionCircleIcon from '@patternfly/react-icons/dist/esm/icons/question-circle-icon';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';

import { choiceLabel } from '../declarations/labels';

type Condition = 'good' | 'working' | 'warning' | 'bad' | 'off' | 'unknown';

const ICONS: Record<Condition, ComponentType> = {
  good: CheckCircleIcon,
  working: InProgressIcon,
  warning: ExclamationTriangleIcon,
  bad: ExclamationCircleIcon,
  off: BanIcon,
  unknown: QuestionCircleIcon,
};

const CONDITIONS: Record<string, Condition> = {
  ...all(
    'good',
    'online up running present normal clean active success full ok enabled valid connected good successful completed',
  ),
  ...all(
    'working',
    'queued zeroing rebuilding resyncing reshaping checking starting stopping initializing downloading in_progress on_trial',
  ),
  ...all(
    'warning',
    'degraded partial restricted nearly_full foreign unsupported warning worn too_hot paused suspended waiting overdue',
  ),
  ...all(
    'bad',
    'failed failure broken dirty error emergency alert down removed volume_offline aggregate_offline failing space_error ' +
      'worn_out lost lif_down not_allowed not_authenticated cannot_be_started canceled expired',
  ),
  ...all('off', 'offline stopped disabled no_initiators not_served'),
  ...all('unknown', 'unknown never'),
};

function all(condition: Condition, words: string): Record<string, Condition> {
  return Object.fromEntries(words.split(' ').map((word) => [word, condition]));
}

export function conditionOf(value: string, isJob = false): Condition | undefined {
  return isJob && value === 'running' ? 'working' : CONDITIONS[value];
}

/** A state as an icon and a word. A normal state is quiet; one that needs attention is filled. */
export function State({
  value,
  isJob = false,
  text,
}: {
  value: string;
  isJob?: boolean;
  /** Words in the place of the state's own. */
  text?: string;
}) {
  const { t } = useTranslation();
  const condition = conditionOf(value, isJob);
  const word = text ?? choiceLabel(t, value);
  if (!condition) return <>{word}</>;
  const Icon = ICONS[condition];
  return (
    <span className={`state state-${condition}`}>
      <Icon aria-hidden="true" />
      {word}
    </span>
  );
}
