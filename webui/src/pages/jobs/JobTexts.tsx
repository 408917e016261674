import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import type { Job } from '../../changes/job';
import { outcomeOf, titleOf } from '../../changes/jobTexts';
import { useDeclarations } from '../../declarations/declarations';
import { Nothing } from '../../resources/Value';

/** The title of a job, and its request; the search looks at that. */
export function JobTitle({ record }: { record: Json }) {
  const { t } = useTranslation();
  const { description } = record as unknown as Job;
  const title = titleOf(t, useDeclarations(), description);
  return title === description ? (
    title
  ) : (
    <>
      {title} <small className="request">{description}</small>
    </>
  );
}

/** How far a job is, or why it failed. */
export function JobOutcome({ record }: { record: Json }) {
  useTranslation();
  return outcomeOf(record as unknown as Job) || <Nothing />;
}
