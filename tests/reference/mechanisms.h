/* States of the mechanisms, written by mechanisms.py in this folder; do not edit. */
#ifndef TAUT_REFERENCE_MECHANISMS_H
#define TAUT_REFERENCE_MECHANISMS_H

/* examples/<name>.yaml: its columns and its states, the first one at t = 0. */
typedef struct mechanism {
    const char *name;
    double tend;
    int columns, states;
    const char *const *column; /* [columns] */
    const double *time;        /* [states] */
    const double *value;       /* [states][columns] */
} mechanism;

/* clang-format off */
static const char *const andrews_column[] = {
    "beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon", "beta'", "Theta'", "gamma'",
    "Phi'", "delta'", "Omega'", "epsilon'"};
static const double andrews_time[] = {0, 0.03};
static const double andrews_value[] = {
    -0.06171389001427645, 0, 0.45527981916307037, 0.22266839016588588, 0.48736497954384256,
    -0.22266839016588588, 1.2305474445498212, 0, 0, 0, 0, 0, 0, 0,
    15.810771195153707, -15.756371058411839, 0.0408222401196458, -0.5347301163420796,
    0.524409965879954, 0.5347301163420796, 1.048080741041938, 1139.9203022591062,
    -1424.3792951775401, 11.032911910618594, 19.29337410503204, 0.5735699148295025,
    -19.29337410503204, 0.3231791492491309};
static const char *const bricard_column[] = {
    "P1x", "P1y", "P1z", "P2x", "P2y", "P2z", "P3x", "P3y", "P3z", "P4x", "P4y", "P4z", "P1x'",
    "P1y'", "P1z'", "P2x'", "P2y'", "P2z'", "P3x'", "P3y'", "P3z'", "P4x'", "P4y'", "P4z'"};
static const double bricard_time[] = {0, 1, 2, 10};
static const double bricard_value[] = {
    1, 0, 0, 1, -1, 0, 1, -1, 1, 0, -1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0.5105014611872197, 0, -0.8598768854468142, 0.27448131926462305, -0.886707938734672,
    -0.46233000268737606, 0.5105014611872197, -1.6491675993948063, 0.14012311455318582, 0,
    -0.886707938734672, 0.537669997312624, -1.7510665152644451, 0, -1.0395930275692982,
    -1.0949194524135097, 0.15669907937027244, -0.3005349357869588, -1.7510665152644451,
    -0.630374394907344, -1.0395930275692982, 0, 0.15669907937027244, -0.3005349357869588,
    -0.9693403447776516, 0, -0.24572198922022326, -0.7781353730332908, -0.9803526834432565,
    -0.1972526706171706, -0.9693403447776516, -1.2212468949563173, 0.7542780107797767, 0,
    -0.9803526834432565, 0.8027473293828293, -0.25172522995356006, 0, 0.9930223256239836,
    -0.8223592716498657, -0.12875298348672556, 0.6399068386126536, -0.25172522995356006,
    0.8131216789374133, 0.9930223256239836, 0, -0.12875298348672556, 0.6399068386126536,
    0.9999999638063494, 0, -0.00026904888007869273, 0.9997309873038354, -0.9999999638258172,
    -0.0002689765122493046, 0.9999999638063494, -1.0002690126961633, 0.9997309511199213, 0,
    -0.9999999638258172, 0.9997310234877507, -8.733867904016866e-06, 0, -0.03246201056607921,
    -0.032453280222299236, 8.726822183338373e-06, -0.032444549877887245, -8.733867904016866e-06,
    -0.032453280221667435, -0.03246201056607921, 0, 8.726822183338373e-06, -0.032444549877887245};
static const char *const copy_machine_column[] = {
    "Bx", "By", "Bx'", "By'", "Cy", "Cy'", "theta", "theta'"};
static const double copy_machine_time[] = {0};
static const double copy_machine_value[] = {
    1, 0, 0, 0, -0.5, 0, 0, 0};
static const char *const five_link_column[] = {
    "Bx", "By", "Bz", "BTx", "BTy", "BTz", "camber", "Bx'", "By'", "Bz'", "BTx'", "BTy'", "BTz'",
    "Wx", "Wy", "Wz"};
static const double five_link_time[] = {0};
static const double five_link_value[] = {
    0, 0.768, 0, -0.103, 0.463, 0.087, 0.6986943829834713, 0, 0, 0, 0, 0, 0, 0,
    0.7643417354349018, 0.29997769433804866};
static const char *const flyball_governor_stretched_column[] = {
    "Ax", "Ay", "Bx", "By", "Bz", "Ez", "Ax'", "Ay'", "Bx'", "By'", "Bz'", "Ez'", "theta",
    "theta'"};
static const double flyball_governor_stretched_time[] = {0};
static const double flyball_governor_stretched_value[] = {
    0.05, 0, 0.9160254037844386, 0, 0.5, 0, 0, 0.3141592653589793, 0, 5.755557358061633, 0, 0, 0,
    6.283185307179586};
static const char *const flyball_governor_column[] = {
    "Ax", "Ay", "Bx", "By", "Bz", "Ez", "Ax'", "Ay'", "Bx'", "By'", "Bz'", "Ez'", "theta",
    "theta'"};
static const double flyball_governor_time[] = {0, 0.1, 1, 10};
static const double flyball_governor_value[] = {
    0.05, 0, 0.9160254037844386, 0, 0.5, 0.5, 0, 0.3141592653589793, 0, 5.755557358061633, 0, 0,
    0, 6.283185307179586,
    0.04063262977809789, 0.02913742262651302, 0.7552878378695838, 0.5416125182361139,
    0.5239357081993594, 0.5238364755695757, -0.17784660538887886, 0.2480101059962073,
    -3.103640557943618, 4.755067022973073, 0.4596449307763847, 0.4592718104361339,
    0.6221066814026875, 6.103717808830862,
    0.038343757881453076, -0.03208981507470096, 0.7031530396154948, -0.5884673870577868,
    0.5015297237402477, 0.5014209223795677, 0.20123926536701553, 0.2404585270906624,
    3.6364974276258346, 4.454632731751658, -0.12213466555631078, -0.12215149289772892,
    5.586346965869005, 6.2711257418765545,
    0.04088886760098811, -0.02877673550472438, 0.7972356327740707, -0.5610778748670116,
    0.6197434184056444, 0.6196229170613656, 0.15965918817549446, 0.2268597633500599,
    2.861569163133543, 4.600159336507151, -0.7477358446330157, -0.7476033541643324,
    55.935409909102376, 5.548203622654927};
static const char *const four_bar_1_column[] = {
    "A0x", "A0y", "A0x'", "A0y'", "A1x", "A1y", "A1x'", "A1y'"};
static const double four_bar_1_time[] = {0, 0.5, 1};
static const double four_bar_1_value[] = {
    0, 1, 1, 0, 1, 1, 1, 0,
    0.7015126789104769, 0.7126569731138861, 1.98589819011429, -1.9548433705817587,
    1.7015126789104769, 0.7126569731138861, 1.98589819011429, -1.9548433705817587,
    -0.2607126751836504, -0.9654164391590732, -6.6378094961217515, 1.7925539703889306,
    0.7392873248163496, -0.9654164391590732, -6.6378094961217515, 1.7925539703889306};
static const char *const four_bar_2_column[] = {
    "A0x", "A0y", "A0x'", "A0y'", "A1x", "A1y", "A1x'", "A1y'", "A2x", "A2y", "A2x'", "A2y'"};
static const double four_bar_2_time[] = {0, 0.5, 1, 2, 5, 10};
static const double four_bar_2_value[] = {
    0, 1, 1, 0, 1, 1, 1, 0, 2, 1, 1, 0,
    0.6952866331644005, 0.7187325634357417, 1.9602054253718333, -1.8962611405865766,
    1.6952866331644005, 0.7187325634357417, 1.9602054253718333, -1.8962611405865766,
    2.6952866331644003, 0.7187325634357417, 1.9602054253718333, -1.8962611405865766,
    -0.1950203019494351, -0.9807992056621738, -6.6766780368811585, 1.3275783251604871,
    0.8049796980505649, -0.9807992056621738, -6.6766780368811585, 1.3275783251604871,
    1.8049796980505648, -0.9807992056621738, -6.6766780368811585, 1.3275783251604871,
    0.05781579576801143, 0.9983272678634555, 1.0172601366204366, -0.05891224871344565,
    1.0578157957680114, 0.9983272678634555, 1.0172601366204366, -0.05891224871344565,
    2.057815795768011, 0.9983272678634555, 1.0172601366204366, -0.05891224871344565,
    -0.8113104610051074, -0.5846155453489755, -3.5691173971932093, 4.953105171313327,
    0.18868953899489257, -0.5846155453489755, -3.5691173971932093, 4.953105171313327,
    1.1886895389948926, -0.5846155453489755, -3.5691173971932093, 4.953105171313327,
    0.3284581115408154, 0.944518538178601, 1.4230514702069441, -0.49486884548704296,
    1.3284581115408154, 0.944518538178601, 1.4230514702069441, -0.49486884548704296,
    2.328458111540815, 0.944518538178601, 1.4230514702069441, -0.49486884548704296};
static const char *const four_bar_40_column[] = {
    "A0x", "A0y", "A0x'", "A0y'", "A1x", "A1y", "A1x'", "A1y'", "A20x", "A20y", "A20x'", "A20y'",
    "A40x", "A40y", "A40x'", "A40y'"};
static const double four_bar_40_time[] = {0};
static const double four_bar_40_value[] = {
    0, 1, 1, 0, 1, 1, 1, 0, 20, 1, 1, 0, 40, 1, 1, 0};
static const char *const free_top_column[] = {
    "ux", "uy", "uz", "vx", "vy", "vz", "ux'", "uy'", "uz'", "vx'", "vy'", "vz'"};
static const double free_top_time[] = {0, 1};
static const double free_top_value[] = {
    1, 0, 0, 0, 1, 0, 0, 0.1, -2, -0.1, 0, 0.1,
    -0.41951895577830783, 0.06010374145571451, -0.9057545948024237, -0.04518437902934607,
    0.9951860318953213, 0.086966279742075, -1.8184472718581042, -0.06339659168470606,
    0.8380445792136568, -0.027844948316157574, -0.01119818715275782, 0.11367765492009908};
static const char *const heavy_top_column[] = {
    "ax", "ay", "az", "Cx", "Cy", "Cz", "Cx'", "Cy'", "Cz'"};
static const double heavy_top_time[] = {0};
static const double heavy_top_value[] = {
    0, -0.5, 0.8660254037844386, 0, -0.15, 0.25980762113533157, 0, 0, 0};
static const char *const mcpherson_column[] = {
    "Ay", "Ay'", "Bx", "By", "Bx'", "By'", "Px", "Py", "Px'", "Py'", "Ux", "Uy", "Ux'", "Uy'",
    "Uphi", "Uphi'"};
static const double mcpherson_time[] = {0};
static const double mcpherson_value[] = {
    0.17, 0, 0.43, 0.17, 0, 0, 0.39, 0.27, 0, 0, 0.45, 0.294, 0, 0, 0.3805063771123649, 0};
static const char *const mechanism0_torque_column[] = {
    "Ax", "Ay", "Ax'", "Ay'", "Bx", "By", "Bx'", "By'", "thetaOA", "thetaOA'"};
static const double mechanism0_torque_time[] = {0};
static const double mechanism0_torque_value[] = {
    0, -2, 1, 0, 0, -3, 0, 0, -1.5707963267948966, 0.5};
static const char *const mechanism0_column[] = {
    "Ax", "Ay", "Ax'", "Ay'", "Bx", "By", "Bx'", "By'", "thetaOA", "thetaOA'"};
static const double mechanism0_time[] = {0, 1};
static const double mechanism0_value[] = {
    0, -2, 1, 0, 0, -3, 0, 0, -1.5707963267948966, 0.5,
    0.09080651290886428, -1.9979374808069776, 0.20035746045143948, 0.009106272089916621,
    0.3606320186162427, -2.9604801909928242, -0.8488328600199554, -0.23392328737245668,
    -1.5253774563848141, 0.10028214715232932};
static const char *const pendulum_chain_10_column[] = {
    "P1x", "P1y", "P1x'", "P1y'", "P2x", "P2y", "P2x'", "P2y'", "P3x", "P3y", "P3x'", "P3y'",
    "P4x", "P4y", "P4x'", "P4y'", "P5x", "P5y", "P5x'", "P5y'", "P6x", "P6y", "P6x'", "P6y'",
    "P7x", "P7y", "P7x'", "P7y'", "P8x", "P8y", "P8x'", "P8y'", "P9x", "P9y", "P9x'", "P9y'",
    "P10x", "P10y", "P10x'", "P10y'"};
static const double pendulum_chain_10_time[] = {0};
static const double pendulum_chain_10_value[] = {
    1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 7, 0, 0, 0, 8, 0, 0,
    0, 9, 0, 0, 0, 10, 0, 0, 0};
static const char *const pendulum_chain_2_column[] = {
    "P1x", "P1y", "P1x'", "P1y'", "P2x", "P2y", "P2x'", "P2y'"};
static const double pendulum_chain_2_time[] = {0, 1};
static const double pendulum_chain_2_value[] = {
    1, 0, 0, 0, 2, 0, 0, 0,
    -0.585168391998875, -0.8109118034690647, -3.1806228021604617, 2.2951940306368916,
    -1.4448188499434758, -1.3217944613814645, -3.846353609858095, 3.415403896525958};
static const char *const pendulum_chain_5_column[] = {
    "P1x", "P1y", "P1x'", "P1y'", "P2x", "P2y", "P2x'", "P2y'", "P3x", "P3y", "P3x'", "P3y'",
    "P4x", "P4y", "P4x'", "P4y'", "P5x", "P5y", "P5x'", "P5y'"};
static const double pendulum_chain_5_time[] = {0};
static const double pendulum_chain_5_value[] = {
    1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0};
static const char *const pendulum_paper_column[] = {
    "u", "v", "u'", "v'", "lam"};
static const double pendulum_paper_time[] = {0, 1, 5, 10};
static const double pendulum_paper_value[] = {
    10, 0, 0, 0, 0,
    8.839218082590522, 4.676347259176197, -4.479294657824271, 8.466749824662585,
    1.3762489983755546,
    -7.255823530855754, 6.881353419864434, 7.9957700650522625, 8.430884601544154,
    2.0251823114661027,
    -7.446953462365077, 6.67404555943161, -7.637183964071582, -8.521631004389715,
    1.9641716081407228};
static const char *const pendulum_column[] = {
    "Ax", "Ay", "Ax'", "Ay'"};
static const double pendulum_time[] = {0, 1, 5, 10};
static const double pendulum_value[] = {
    1, 0, 0, 0,
    -0.9862917511318753, -0.16501085312554117, -0.2969055159163158, 1.7746436411126556,
    0.9423054350437573, -0.3347543384140006, -0.8579042568859491, -2.4149286543704886,
    0.2750874625761169, -0.961419205099125, -4.175598100951729, -1.1947490545604753};
static const char *const robot_column[] = {
    "u3x", "u3y", "u3z", "Cx", "Cy", "Cz", "u4x", "u4y", "u4z", "Fx", "Fy", "Fz", "u5x", "u5y",
    "u5z", "Gx", "Gy", "Gz", "u3x'", "u3y'", "u3z'", "Cx'", "Cy'", "Cz'", "Fx'", "Fy'", "Fz'",
    "Gx'", "Gy'", "Gz'"};
static const double robot_time[] = {0};
static const double robot_value[] = {
    0, -1, 0, 0.37101007166283434, 0, 0.4698463103929542, -0.2198463103929542,
    -0.766044443118978, -0.6040227735550537, 0.9468871199771978, 0, 0.4330382530626867,
    -0.6345216671334206, -0.45682599258567097, -0.6234518958479003, 1.047716398623517,
    0.123100969126526, 0.24021810897039275, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
static const char *const rscr_column[] = {
    "C1x", "C1y", "C1z", "Bx", "By", "Bz", "mu", "C1x'", "C1y'", "C1z'", "Bx'", "By'", "Bz'",
    "mu'"};
static const double rscr_time[] = {0};
static const double rscr_value[] = {
    -0.9018515015606559, 0.5206842071951129, 1.0796072552138518, -1.4436526036515216, 0,
    -0.2246721490889983, 0.1257189020707613, 0.3655612984979566, -0.2110569140931044,
    0.4071628880109627, -0.14242582966430958, 1.7593547061133092, -0.35268385435313687,
    1.9115520904559007};
static const char *const slider_crank_column[] = {
    "Ax", "Ay", "Ax'", "Ay'", "Bx", "Bx'"};
static const double slider_crank_time[] = {0, 1, 10};
static const double slider_crank_value[] = {
    0.282842712474619, 0.282842712474619, -3.0890800032142347, 3.0890800032142347,
    1.242009017137163, -4,
    0.17101438975690006, 0.3615993342030307, -3.5072997371124988, 1.6587384641036291,
    1.1033479789318932, -4.1506303338011605,
    0.12871150657242228, -0.3787259537922603, 4.753476144506316, 1.615487583803349,
    1.0542203676451527, 5.41454715284472};
static const char *const spatial_slider_crank_column[] = {
    "Cx", "Cx'", "theta", "theta'", "Bx", "By", "Bz", "Mx", "My", "Mz"};
static const double spatial_slider_crank_time[] = {0};
static const double spatial_slider_crank_value[] = {
    0.2, 0.24, 0, 6, 0, 0.1, 0.2, 0.1, 0.05, 0.1};
static const char *const spherical_pendulum_column[] = {
    "Ax", "Ay", "Az", "Ax'", "Ay'", "Az'"};
static const double spherical_pendulum_time[] = {0, 1};
static const double spherical_pendulum_value[] = {
    0.08, 0, 0, 0, 0.7895, 0,
    -0.03426781385587149, 0.0716196493213197, -0.009815435019933313, -0.6949420915771456,
    -0.3907016408730257, -0.42461370946378907};
static const char *const spin_top_column[] = {
    "Cx", "Cy", "Cz", "Cx'", "Cy'", "Cz'", "Tx", "Ty", "Tz"};
static const double spin_top_time[] = {0};
static const double spin_top_value[] = {
    0, 0, 2, 0, 0, 0, 0, 0, 1};

enum { MECHANISMS = 25 };
static const mechanism mechanisms[MECHANISMS] = {
    {"andrews", 0.03, 14, 2, andrews_column, andrews_time, andrews_value},
    {"bricard", 10, 24, 4, bricard_column, bricard_time, bricard_value},
    {"copy-machine", 10, 8, 1, copy_machine_column, copy_machine_time, copy_machine_value},
    {"five-link", 1, 16, 1, five_link_column, five_link_time, five_link_value},
    {"flyball-governor-stretched", 10, 14, 1, flyball_governor_stretched_column, flyball_governor_stretched_time, flyball_governor_stretched_value},
    {"flyball-governor", 10, 14, 4, flyball_governor_column, flyball_governor_time, flyball_governor_value},
    {"four-bar-1", 10, 8, 3, four_bar_1_column, four_bar_1_time, four_bar_1_value},
    {"four-bar-2", 10, 12, 6, four_bar_2_column, four_bar_2_time, four_bar_2_value},
    {"four-bar-40", 1, 16, 1, four_bar_40_column, four_bar_40_time, four_bar_40_value},
    {"free-top", 10, 12, 2, free_top_column, free_top_time, free_top_value},
    {"heavy-top", 10, 9, 1, heavy_top_column, heavy_top_time, heavy_top_value},
    {"mcpherson", 2, 16, 1, mcpherson_column, mcpherson_time, mcpherson_value},
    {"mechanism0-torque", 10, 10, 1, mechanism0_torque_column, mechanism0_torque_time, mechanism0_torque_value},
    {"mechanism0", 1, 10, 2, mechanism0_column, mechanism0_time, mechanism0_value},
    {"pendulum-chain-10", 1, 40, 1, pendulum_chain_10_column, pendulum_chain_10_time, pendulum_chain_10_value},
    {"pendulum-chain-2", 5, 8, 2, pendulum_chain_2_column, pendulum_chain_2_time, pendulum_chain_2_value},
    {"pendulum-chain-5", 1, 20, 1, pendulum_chain_5_column, pendulum_chain_5_time, pendulum_chain_5_value},
    {"pendulum-paper", 10, 5, 4, pendulum_paper_column, pendulum_paper_time, pendulum_paper_value},
    {"pendulum", 10, 4, 4, pendulum_column, pendulum_time, pendulum_value},
    {"robot", 1, 30, 1, robot_column, robot_time, robot_value},
    {"rscr", 5, 14, 1, rscr_column, rscr_time, rscr_value},
    {"slider-crank", 10, 6, 3, slider_crank_column, slider_crank_time, slider_crank_value},
    {"spatial-slider-crank", 5, 10, 1, spatial_slider_crank_column, spatial_slider_crank_time, spatial_slider_crank_value},
    {"spherical-pendulum", 5, 6, 2, spherical_pendulum_column, spherical_pendulum_time, spherical_pendulum_value},
    {"spin-top", 5, 9, 1, spin_top_column, spin_top_time, spin_top_value},
};
/* clang-format on */

#endif
