/** What others may ask of risk scores. */
export { type Assessment, createAssess, readMemberRisk } from './assess.ts';
export { outcomeOf } from './score.ts';
export { assessmentView, riskView } from './views.ts';
