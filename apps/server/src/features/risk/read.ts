/** The interface of risk scores for other features. */
export { type Assessment, createAssess, readMemberRisk } from './assess.ts';
export { outcomeOf } from './score.ts';
export { assessmentView, riskView } from './views.ts';
