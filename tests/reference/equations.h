/* Reference states, written by make.py in this folder; do not edit. */
#ifndef TAUT_REFERENCE_EQUATIONS_H
#define TAUT_REFERENCE_EQUATIONS_H

/* clang-format off */
/* x, y, z from (1, 1, 1) */
static const double lorenz_time[3] = {5, 10, 15};
static const double lorenz_state[3][3] = {
    {-6.512113699419599047000,
     -6.974042788417076134262,
     23.92412957210337035130},
    {-4.902687541134645731904,
     -3.743872921802919616315,
     24.69085810279055545322},
    {-4.393109218383352621693,
     -2.069127193144469487409,
     25.91452996907839786651},
};

/* x, x' from (2, 0) with mu = 1 */
static const double van_der_pol_time[3] = {5, 10, 15};
static const double van_der_pol_state[3][2] = {
    {-8.370774502947650505737e-1,
     1.307088937799671841035},
    {-2.008340782579712332781,
     3.290706586332406443147e-2},
    {8.304374342969226614001e-1,
     -1.313365878906176481245},
};

/* y1, y2, y3 from (1, 0, 0) */
static const double robertson_time[3] = {0.5, 4, 40};
static const double robertson_state[3][3] = {
    {9.817917738731056617457e-1,
     3.328091093086202944797e-5,
     1.817494521596347622483e-2},
    {9.055186785842539118757e-1,
     2.240475687560200911008e-5,
     9.445891665887048611519e-2},
    {7.158270687194050904745e-1,
     9.185534764557763903899e-6,
     2.841637457458303517616e-1},
};
/* clang-format on */

#endif
