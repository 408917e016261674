import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import type { Job } from '../../changes/job';
import { outcomeOf, titleOf } from '../../changes/jobTexts';
import { useDeclarations } from '../../declarations/declarations';
import { Nothing } from '../../resources/Value';

/** What a job does, and the request that began it, by which jobs are searched. */
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
